import { messageOf } from '@podwright/errors';
import type { Pod } from '@podwright/kube-types';
import type { Logger } from '@podwright/logging';
import type { FoundDevice, ReconstructedVolume, VolumePlugin, VolumeSpec } from '@podwright/volume-interface';
import { pluginNameOf, volumesOnDisk, type VolumeOnDisk } from '../pod-volume-paths.js';
import type { VolumeMetrics } from '../volume-metrics.js';
import type { PodVolume, SharedVolume, VolumeTable } from '../volume-table.js';

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
  const volume = await rebuild(podDir, found, mode, plugin, deps.logger);
  deps.metrics.reconstructed(volume !== undefined);
  const pod: Pod = { metadata: { uid: podUid }, spec: { containers: [] } };
  const { seLinuxLabel, ...source } = volume ?? { volume: { name: found.name } };
  const spec: VolumeSpec = { ...source, pod, podDir };
  const record: PodVolume = {
    podUid,
    name: found.name,
    plugin,
    isBlockDevice: mode === 'Block',
    // Files that cannot be read tell nothing about the node's mount; the pod's own is unmounted by its path.
    shared: volume === undefined ? undefined : await sharedOf(spec, mode, plugin, seLinuxLabel, deps.table),
    outerNames: [],
    spec,
    seLinuxLabel: '',
    migrated: false,
    state: 'uncertain',
    wanted: false,
    reconstructed: true,
    unreadable: volume === undefined,
    mounter: undefined,
    podDevicePath: undefined,
    usage: undefined,
  };
  deps.table.put(record);
}

async function rebuild(
  podDir: string,
  { name, path }: VolumeOnDisk,
  mode: Mode,
  plugin: VolumePlugin,
  logger: Logger,
): Promise<ReconstructedVolume | undefined> {
  if (plugin.reconstruct === undefined) return { volume: { name } };
  try {
    return await plugin.reconstruct(podDir, name, mode);
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
  const uniqueName = `${plugin.name}/${plugin.volumeName?.(spec) ?? spec.volume.name}`;
  const known = table.shared(uniqueName);
  if (known !== undefined) return known;
  const shared: SharedVolume = {
    uniqueName,
    plugin,
    spec,
    attachable: undefined,
    attached: false,
    isBlockDevice: mode === 'Block',
    devicePath: '',
    device: 'uncertain',
    deviceMountPath: path,
    reconstructed: true,
    sizeBytes: undefined,
    growsOnlyUnused: false,
    seLinuxLabel,
  };
  table.putShared(shared);
  return shared;
}

/**
 * Records what an earlier kubelet mounted for the node after its last pod's folder was gone, or before its first one was
 * there. Upstream does not look for it and leaves it mounted.
 */
export async function reconstructDevices({ table, plugins, logger }: ReconstructionDeps): Promise<void> {
  for (const plugin of plugins) {
    const devices = await plugin.findDevices?.().catch((error: unknown) => {
      logger.error('Could not look for volumes that are mounted for the node', { plugin: plugin.name, error });
    });
    for (const { mode, path, seLinuxLabel, ...source } of devices ?? []) {
      const spec: VolumeSpec = { ...source, pod: nobody, podDir: '' };
      recordShared({ spec, mode, path, seLinuxLabel }, plugin, table);
    }
  }
}

const nobody: Pod = { metadata: {}, spec: { containers: [] } };
