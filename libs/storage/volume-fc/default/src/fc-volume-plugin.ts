import { basename, join } from 'node:path';
import { findGlobalMapPath } from '@podwright/block-device';
import { KubeletError } from '@podwright/errors';
import { cleanMountPoint, globalMountOf, mountsAt } from '@podwright/filesystem';
import { seLinuxContextOf } from '@podwright/selinux';
import { specName, type ReconstructedVolume, type VolumePlugin } from '@podwright/volume-interface';
import { fcAttach, fcBlock, fcMounts } from './fc-devices.js';
import { fcFolders, fcVolumeName, parseFcFolder, pluginName } from './fc-disk.js';
import { FcMounter } from './fc-mounter.js';
import type { FcParts } from './fc-parts.js';

const escapedName = pluginName.replace('/', '~');

/** Disks of a Fibre Channel network. Source: kubernetes v1.36 pkg/volume/fc. */
export function createFcVolumePlugin(parts: FcParts): VolumePlugin {
  const pathOf = (podDir: string, volumeName: string): string => join(podDir, 'volumes', escapedName, volumeName);
  return {
    name: pluginName,
    supportsMountOptions: true,
    supportsSeLinuxMount: () => true,
    canSupport: (volume, persistentVolume) =>
      (persistentVolume === undefined ? volume : persistentVolume.spec)?.fc !== undefined,
    volumeName: fcVolumeName,
    attachable: fcAttach(parts),
    deviceMountable: fcMounts(parts),
    block: fcBlock(parts),
    newMounter: (spec) => new FcMounter(parts, spec, pathOf(spec.podDir, specName(spec))),
    tearDown: (podDir, volumeName, signal) => cleanMountPoint(parts.mounts, pathOf(podDir, volumeName), signal),
    reconstruct: (podDir, volumeName, mode) =>
      mode === 'Block'
        ? reconstructDevice(parts, podDir, volumeName)
        : reconstructMount(parts, pathOf(podDir, volumeName), volumeName),
  };
}

/** From the name of the folder that the disk is mounted on. Source: kubernetes v1.36 pkg/volume/fc/fc.go. */
async function reconstructMount(
  { mounts, clock }: FcParts,
  path: string,
  volumeName: string,
): Promise<ReconstructedVolume> {
  const folder = await globalMountOf(mounts, path, `/plugins/${pluginName}/`, clock);
  const [mount] = (await mountsAt(mounts, path)).slice(-1);
  const seLinuxLabel = mount === undefined ? undefined : seLinuxContextOf(mount);
  return { volume: { name: volumeName, fc: sourceFrom(folder) }, seLinuxLabel };
}

/** From the folder in which the pod has the device. */
async function reconstructDevice(
  { pluginsDir }: FcParts,
  podDir: string,
  volumeName: string,
): Promise<ReconstructedVolume> {
  const link = join(podDir, 'volumeDevices', escapedName, volumeName);
  const folder = await findGlobalMapPath(fcFolders(pluginsDir).devices, link, basename(podDir));
  const persistentVolume = {
    metadata: { name: volumeName },
    spec: { volumeMode: 'Block', fc: sourceFrom(folder) },
  };
  return { volume: { name: volumeName }, persistentVolume };
}

function sourceFrom(folder: string | undefined): { targetWWNs: string[]; lun: number } | { wwids: string[] } {
  if (folder === undefined) {
    throw new KubeletError("couldn't fetch globalPDPath. failed to obtain volume spec", { code: 'not-found' });
  }
  const disk = parseFcFolder(folder);
  return 'wwns' in disk ? { targetWWNs: [...disk.wwns], lun: disk.lun } : { wwids: [...disk.wwids] };
}
