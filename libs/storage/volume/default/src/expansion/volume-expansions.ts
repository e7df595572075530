import { quantityToBytes } from '@podwright/kube-types';
import { uncertainProgress } from '@podwright/volume-interface';
import type { VolumeFailures } from '../mount/volume-failures.js';
import type { VolumeMetrics } from '../volume-metrics.js';
import type { PodVolume, SharedVolume } from '../volume-table.js';
import type { Expansion, ExpansionRequest } from './expansion-request.js';
import type { NodeExpander } from './node-expander.js';

export interface VolumeExpansionsDeps {
  readonly expander: Pick<NodeExpander, 'expandOnMount' | 'expandInUse'>;
  readonly failures: VolumeFailures;
  readonly metrics: VolumeMetrics;
}

/** When volumes grow: with each mount, and once their PersistentVolume is larger than what the node knows. */
export class VolumeExpansions {
  constructor(private readonly deps: VolumeExpansionsDeps) {}

  /** For a volume that was just mounted or mapped. A failure leaves it to be mounted again. */
  async onMount(record: PodVolume, volumePath: string, signal: AbortSignal): Promise<void> {
    const { shared, isBlockDevice } = record;
    if (shared === undefined || record.plugin.expandable === undefined) return;
    const [what, reason] = isBlockDevice
      ? (['MapVolume.MarkVolumeAsMounted failed while expanding volume', 'FailedMapVolume'] as const)
      : (['MountVolume.Setup failed while expanding volume', 'FailedMount'] as const);
    const grow = async (): Promise<void> => {
      const grown = await this.deps.expander
        .expandOnMount(requestOf(record, shared, volumePath), signal)
        .catch((error: unknown) => {
          throw uncertainProgress(error);
        });
      note(shared, grown);
    };
    await this.deps.failures.step(what, record, grow, reason);
  }

  /** For a mounted volume whose PersistentVolume was just looked at. */
  async inUse(record: PodVolume, signal: AbortSignal): Promise<void> {
    const { shared, spec, plugin } = record;
    const volumePath = record.publishedDevice ?? record.mounter?.hostPath;
    if (shared?.sizeBytes === undefined || volumePath === undefined || shared.growsOnlyUnused) return;
    if (plugin.expandable?.requiresFsResize() !== true) return;
    const { sizeBytes } = shared;
    if (quantityToBytes(spec.persistentVolume?.spec?.capacity?.['storage']) <= sizeBytes) return;
    await this.deps.metrics.measure(record, 'volume_fs_resize', async () => {
      note(shared, await this.deps.expander.expandInUse(requestOf(record, shared, volumePath), sizeBytes, signal));
    });
  }
}

function note(shared: SharedVolume, grown: Expansion): void {
  if (grown.status === 'done' && grown.bytes !== undefined) shared.sizeBytes = grown.bytes;
  if (grown.status === 'in-use') shared.growsOnlyUnused = true;
}

function requestOf({ spec, plugin }: PodVolume, shared: SharedVolume, volumePath: string): ExpansionRequest {
  const { uniqueName: volumeName, devicePath, isBlockDevice } = shared;
  const mode = isBlockDevice ? 'Block' : 'Filesystem';
  const deviceMountPath = isBlockDevice ? (plugin.block?.newMapper(spec).stagingPath ?? '') : shared.deviceMountPath;
  return { spec, plugin, volumeName, mode, devicePath, deviceMountPath, volumePath };
}
