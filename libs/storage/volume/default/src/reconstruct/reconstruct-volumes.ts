import { messageOf } from '@podwright/errors';
import type { Pod } from '@podwright/kube-types';
import type { Logger } from '@podwright/logging';
import type { FoundDevice, ReconstructedVolume, VolumePlugin, VolumeSpec } from '@podwright/volume-interface';
import { pluginNameOf, volumesOnDisk, type VolumeOnDisk } from '../pod-volume-paths.js';
import type { VolumeMetrics } from '../volume-metrics.js';
import { newPodVolume, newSharedVolume, sharedVolumeName } from '../volume-table.js';
import type { SharedVolume, VolumeTable } from '../volume-table.js';

export interface ReconstructionDeps {
  readonly table: VolumeTable;
  readonly plugins: readonly VolumePlugin[];
  readonly logger: Logger;
  readonly metrics: Pick<VolumeMetrics, 'reconstructed'>;
}

type Mode = 'Filesystem' | 'Block';

/**
 * Records what an earlier kubelet may have mounted for a pod, from the names and files on disk alone: nothing of it is
 * touched, since a mount may hang. Source: kubernetes v1.36 pkg/kubelet/volumemanager/reconciler/reconstruct.go.
 */
export async function reconstructVolumes(podUid: string, podDir: string, deps: ReconstructionDeps): Promise<void> {
  for (const [folder, mode] of [
    ['volumes', 'Filesystem'],
    ['volumeDevices', 'Block'],
  ] as const) {
    for (const found of await volumesOnDisk(podDir, folder)) await reconstruct(podUid, podDir, found, mode, deps);
  }
}

async function reconstruct(
  podUid: string,
  podDir: string,
  found: VolumeOnDisk,
  mode: Mode,
  deps: ReconstructionDeps,
): Promise<void> {
  const plugin = deps.plugins.find(({ name }) => name === pluginNameOf(found));
  if (plugin === undefined || (mode === 'Block' && plugin.block === undefined)) {
    deps.metrics.reconstructed(false);
    deps.logger.warn('no volume plugin matched name of a volume on disk', { podUid, path: found.path });
    return;
  }
  const pod: Pod = { metadata: { uid: podUid }, spec: { containers: [] } };
  const rebuilt = await rebuild({ pod, podDir }, found, mode, plugin, deps);
  deps.metrics.reconstructed(rebuilt !== undefined);
  const record = newPodVolume({
    ...{ podUid, name: found.name, plugin, isBlockDevice: mode === 'Block' },
    // Files that cannot be read tell nothing about the node's mount; the pod's own is unmounted by its path.
    shared: rebuilt?.shared,
    spec: rebuilt?.spec ?? { volume: { name: found.name }, pod, podDir },
    ...{ state: 'uncertain', reconstructed: true, unreadable: rebuilt === undefined },
  });
  deps.table.put(record);
}

async function rebuild(
  owner: Pick<VolumeSpec, 'pod' | 'podDir'>,
  { name, path }: VolumeOnDisk,
  mode: Mode,
  plugin: VolumePlugin,
  { table, logger }: ReconstructionDeps,
): Promise<{ readonly spec: VolumeSpec; readonly shared: SharedVolume | undefined } | undefined> {
  try {
    const volume = (await plugin.reconstruct?.(owner.podDir, name, mode)) ?? { volume: { name } };
    const { seLinuxLabel, ...source }: ReconstructedVolume = volume;
    const spec = { ...source, ...owner };
    return { spec, shared: await sharedOf(spec, mode, plugin, seLinuxLabel, table) };
  } catch (error) {
    logger.error('Could not construct volume information', { path, error: messageOf(error) });
    return undefined;
  }
}

/** By the device mount first: then no plugin has to know whether the volume is attachable. */
async function sharedOf(
  spec: VolumeSpec,
  mode: Mode,
  plugin: VolumePlugin,
  seLinuxLabel: string | undefined,
  table: VolumeTable,
): Promise<SharedVolume | undefined> {
  const { deviceMountable, block } = plugin;
  if (deviceMountable?.canDeviceMount(spec) !== true) return undefined;
  const path =
    mode === 'Block' ? (block?.newMapper(spec).globalMapPath ?? '') : await deviceMountable.deviceMountPath(spec);
  return recordShared({ spec, mode, path, seLinuxLabel }, plugin, table);
}

interface Found extends Pick<FoundDevice, 'mode' | 'path' | 'seLinuxLabel'> {
  readonly spec: VolumeSpec;
}

function recordShared(
  { spec, mode, path, seLinuxLabel }: Found,
  plugin: VolumePlugin,
  table: VolumeTable,
): SharedVolume {
  const known = table.shared(sharedVolumeName(plugin, spec));
  if (known !== undefined) return known;
  const shared = newSharedVolume({
    ...{ plugin, spec, isBlockDevice: mode === 'Block', deviceMountPath: path, seLinuxLabel },
    ...{ device: 'uncertain', reconstructed: true },
  });
  table.putShared(shared);
  return shared;
}

/**
 * Records what an earlier kubelet mounted for the node after its last pod's folder was gone, or before its first one was
 * there. Upstream does not look for it and leaves it mounted.
 */
export async function reconstructDevices({ table, plugins, logger }: ReconstructionDeps): Promise<void> {
  for (const plugin of plugins) {
    try {
      for (const { mode, path, seLinuxLabel, ...source } of (await plugin.findDevices?.()) ?? []) {
        const spec: VolumeSpec = { ...source, pod: nobody, podDir: '' };
        recordShared({ spec, mode, path, seLinuxLabel }, plugin, table);
      }
    } catch (error) {
      logger.error('Could not look for volumes that are mounted for the node', { plugin: plugin.name, error });
    }
  }
}

const nobody: Pod = { metadata: {}, spec: { containers: [] } };
