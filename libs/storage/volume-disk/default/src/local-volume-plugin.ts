import { join } from 'node:path';
import { deviceSizeBytes } from '@podwright/block-device';
import { cleanMountPoint, deviceOfMount, mountReferences, type MountTools } from '@podwright/filesystem';
import type { BlockVolumeMapper, ReconstructedVolume, VolumePlugin, VolumeSpec } from '@podwright/volume-interface';
import { specName } from '@podwright/volume-interface';
import { LocalDisks } from './local-disks.js';
import { deviceMountsDir, globalMapPath, localPath, pluginName, podVolumePath, sourceKind } from './local-source.js';
import type { LocalVolumeDeps } from './local-volume-deps.js';
import { LocalVolumeMounter } from './local-volume-mounter.js';
import { SetUpLocks } from './set-up-locks.js';

/**
 * Local PersistentVolumes: a directory of the node, or a disk, which is formatted when it is empty. Source: kubernetes
 * v1.36 pkg/volume/local.
 */
export function createLocalVolumePlugin(deps: LocalVolumeDeps): VolumePlugin {
  const locks = new SetUpLocks();
  const disks = new LocalDisks(deps);
  return {
    name: pluginName,
    supportsMountOptions: true,
    deviceMountable: disks,
    expandable: disks,
    block: { newMapper },
    canSupport: (_volume, persistentVolume) => persistentVolume?.spec?.local !== undefined,
    volumeName: specName,
    checkSource: async (spec) => void (await sourceKind(localPath(spec), deps)),
    newMounter: (spec) =>
      new LocalVolumeMounter({ ...deps, locks, devicePath: () => disks.deviceMountPath(spec) }, spec),
    tearDown: (podDir, name, signal) => cleanMountPoint(deps.mounts, podVolumePath(podDir, name), signal),
    reconstruct: (podDir, name, mode) => reconstruct(deps.mounts, podDir, name, mode),
  };
}

function newMapper(spec: VolumeSpec): BlockVolumeMapper {
  const folder = globalMapPath(spec.podDir, specName(spec));
  return {
    globalMapPath: folder,
    usage: {
      metricSource: 'block',
      measure: async () => ({ capacityBytes: await deviceSizeBytes(join(folder, spec.pod.metadata.uid ?? '')) }),
    },
    mapPodDevice: async () => localPath(spec),
  };
}

/** A directory needs nothing but its name to be unmounted; of a disk, the mount table names the device. */
async function reconstruct(
  mounts: MountTools,
  podDir: string,
  name: string,
  mode: 'Filesystem' | 'Block',
): Promise<ReconstructedVolume> {
  const path = mode === 'Block' ? '' : await mountedDisk(mounts, podDir, name);
  const persistentVolume = { metadata: { name }, spec: { local: { path }, volumeMode: mode } };
  return { volume: { name, persistentVolumeClaim: { claimName: name } }, persistentVolume };
}

async function mountedDisk(mounts: MountTools, podDir: string, name: string): Promise<string> {
  const ofNode = `${deviceMountsDir(podDir)}/`;
  const references = await mountReferences(mounts, podVolumePath(podDir, name));
  const mounted = references.find((path) => path.startsWith(ofNode));
  return mounted === undefined ? '' : ((await deviceOfMount(mounts, mounted)).device ?? '');
}
