import { KubeletError, messageOf } from '@podwright/errors';
import type { EventRecorder } from '@podwright/events-interface';
import { podRef } from '@podwright/kube-types';
import type { Pod, Volume } from '@podwright/kube-types';
import type { Logger } from '@podwright/logging';
import type { VolumeMounter, VolumePlugin } from '@podwright/volume-interface';
import { cleanSubPaths } from './clean-sub-paths.js';
import type { SubPathDeps } from './clean-sub-paths.js';
import type { VolumeMetrics } from './volume-metrics.js';
import { uniqueVolumeName } from './volume-table.js';
import type { VolumeRecord, VolumeTable } from './volume-table.js';

export interface PodVolumesDeps extends SubPathDeps {
  readonly table: VolumeTable;
  readonly metrics: VolumeMetrics;
  readonly events: EventRecorder;
  readonly logger: Logger;
}

/** The two operations on one volume. Each reports its failure and rejects; the caller decides about the next try. */
export class PodVolumes {
  constructor(private readonly deps: PodVolumesDeps) {}

  async setUp(pod: Pod, podDir: string, volume: Volume, plugin: VolumePlugin, signal: AbortSignal): Promise<void> {
    const podUid = pod.metadata.uid ?? '';
    const known = this.deps.table.get(podUid, volume.name);
    if (known?.state === 'mounted') return;
    // Before the first step: whatever becomes of it, something may be there from now on.
    const record: VolumeRecord = known ?? {
      podUid,
      name: volume.name,
      plugin,
      state: 'uncertain',
      wanted: true,
      mounter: undefined,
    };
    record.wanted = true;
    this.deps.table.put(record);
    record.mounter = await this.mount(pod, podDir, volume, plugin, signal);
    record.state = 'mounted';
  }

  /** Refreshes the content of a volume that is mounted; when that fails, containers go on with what they have. */
  async setUpAgain(pod: Pod, podDir: string, volumeName: string, signal: AbortSignal): Promise<void> {
    const record = this.deps.table.get(pod.metadata.uid ?? '', volumeName);
    const volume = pod.spec.volumes?.find(({ name }) => name === volumeName);
    if (record?.state !== 'mounted' || volume === undefined) return;
    record.mounter = await this.mount(pod, podDir, volume, record.plugin, signal);
  }

  private async mount(
    pod: Pod,
    podDir: string,
    volume: Volume,
    plugin: VolumePlugin,
    signal: AbortSignal,
  ): Promise<VolumeMounter> {
    const mounter = this.make(() => plugin.newMounter({ volume, pod, podDir }), pod, volume);
    try {
      await this.deps.metrics.measure(plugin.name, 'volume_mount', () => mounter.setUp(signal));
      return mounter;
    } catch (error) {
      throw this.failed('MountVolume.SetUp failed', pod, volume, error);
    }
  }

  async tearDown(record: VolumeRecord, podDir: string, signal: AbortSignal): Promise<void> {
    record.state = 'uncertain';
    const unique = uniqueVolumeName(record);
    let step = 'error cleaning subPath mounts';
    try {
      await this.deps.metrics.measure(record.plugin.name, 'volume_unmount', async () => {
        await cleanSubPaths(podDir, record.name, this.deps, signal);
        step = 'UnmountVolume.TearDown failed';
        await record.plugin.tearDown(podDir, record.name);
      });
    } catch (error) {
      this.deps.logger.error(`${step} for volume ${JSON.stringify(unique)}`, { podUid: record.podUid, error });
      throw error;
    }
    this.deps.table.delete(record);
  }

  private make(make: () => VolumeMounter, pod: Pod, volume: Volume): VolumeMounter {
    try {
      return make();
    } catch (error) {
      throw this.failed('MountVolume.NewMounter initialization failed', pod, volume, error);
    }
  }

  private failed(what: string, pod: Pod, volume: Volume, error: unknown): KubeletError {
    const message = `${what} for volume ${JSON.stringify(volume.name)} : ${messageOf(error)}`;
    this.deps.events.event({ kind: 'Pod', pod }, 'Warning', 'FailedMount', message);
    this.deps.logger.error(message, { pod: podRef(pod) });
    return new KubeletError(message, { code: 'unavailable', cause: error });
  }
}
