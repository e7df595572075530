import { basename, join } from 'node:path';
import { findGlobalMapPath } from '@podwright/block-device';
import { KubeletError } from '@podwright/errors';
import { globalMountOf, mountsAt } from '@podwright/filesystem';
import { seLinuxContextOf } from '@podwright/selinux';
import type { ReconstructedVolume } from '@podwright/volume-interface';
import { iscsiFolders, parseDiskFolder, pluginName } from './iscsi-disk.js';
import type { IscsiParts } from './iscsi-parts.js';

/**
 * Rebuilds a mounted volume from the name of the folder that its disk is mounted on. Source: kubernetes v1.36
 * pkg/volume/iscsi/iscsi.go ConstructVolumeSpec.
 */
export async function reconstructMounted(
  { mounts, clock }: IscsiParts,
  path: string,
  volumeName: string,
): Promise<ReconstructedVolume> {
  const folder = await globalMountOf(mounts, path, `/plugins/${pluginName}/`, clock);
  if (folder === undefined) throw notFound("couldn't fetch globalPDPath. failed to obtain volume spec");
  const mount = (await mountsAt(mounts, path)).at(-1);
  return {
    volume: { name: volumeName, iscsi: sourceOf(folder) },
    seLinuxLabel: mount === undefined ? undefined : seLinuxContextOf(mount),
  };
}

/** Rebuilds a block device from the folder in which the pod has it. Source: ConstructBlockVolumeSpec. */
export async function reconstructBlock(
  { pluginsDir }: IscsiParts,
  podDir: string,
  volumeName: string,
): Promise<ReconstructedVolume> {
  const link = join(podDir, 'volumeDevices', pluginName.replace('/', '~'), volumeName);
  const folder = await findGlobalMapPath(iscsiFolders(pluginsDir).devices, link, basename(podDir));
  if (folder === undefined) throw notFound(`no device of the pod is below ${iscsiFolders(pluginsDir).devices}`);
  return {
    volume: { name: volumeName },
    persistentVolume: { metadata: { name: volumeName }, spec: { volumeMode: 'Block', iscsi: sourceOf(folder) } },
  };
}

function sourceOf(folder: string): { targetPortal: string; iqn: string; lun: number; iscsiInterface: string } {
  const { portals, iqn, lun, iface } = parseDiskFolder(folder);
  return { targetPortal: portals[0] ?? '', iqn, lun: Number(lun), iscsiInterface: iface };
}

function notFound(message: string): KubeletError {
  return new KubeletError(message, { code: 'not-found' });
}
