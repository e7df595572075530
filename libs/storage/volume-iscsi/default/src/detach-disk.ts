import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { deleteScsiDisk, flushMultipath, multipathDevice } from '@podwright/block-device';
import { isMissing, messageOf } from '@podwright/errors';
import { exists, isMountPoint, removeOneFileSystem } from '@podwright/filesystem';
import { iscsiFolders, ownIface, parseDiskFolder, type IscsiDisk } from './iscsi-disk.js';
import { readIscsiJson } from './iscsi-json.js';
import type { IscsiParts } from './iscsi-parts.js';
import { iscsiFault } from './iscsiadm.js';

// Exit codes of iscsiadm: there is no such session, or no such record.
const nothingThere = [2, 21];

/**
 * Unmounts a disk and removes it from the node; logs out unless another volume uses the session. Removes the folder.
 * Idempotent. Source: kubernetes v1.36 pkg/volume/iscsi/iscsi_util.go DetachDisk, attacher.go UnmountDevice.
 */
export async function detachMountedDisk(parts: IscsiParts, folder: string, signal: AbortSignal): Promise<void> {
  await describeFailure(folder, async () => {
    if (await isMountPoint(parts.mounts, folder)) await parts.mounts.unmount(folder, signal);
    else if (!(await exists(folder))) return;
    const disk = await diskOf(parts, folder);
    await removeDisks(parts, disk, signal);
    await leave(parts, folder, disk, signal);
  });
}

/** The same for a block device, which the volume manager has unmapped. Source: DetachBlockISCSIDisk, TearDownDevice. */
export async function detachBlockDisk(parts: IscsiParts, folder: string, signal: AbortSignal): Promise<void> {
  await describeFailure(folder, async () => leave(parts, folder, await diskOf(parts, folder), signal));
}

/** What iscsi.json says, or else the folder's name, as for volumes of old kubelets. */
async function diskOf({ logger }: IscsiParts, folder: string): Promise<IscsiDisk> {
  try {
    return await readIscsiJson(folder);
  } catch (error) {
    if (!isMissing(error)) logger.warn('iscsi: cannot read iscsi.json', { folder, error });
    return parseDiskFolder(folder);
  }
}

/** Failures are only logged: logging out may remove the disks all the same. */
async function removeDisks(parts: IscsiParts, { iqn, lun }: IscsiDisk, signal: AbortSignal): Promise<void> {
  const { sysfs, run, logger, sysDir, devDir } = parts;
  const sysBlock = join(sysDir, 'block');
  try {
    const disks = await sysfs.disksOf(iqn, lun);
    const found = await Promise.all(disks.map((disk) => multipathDevice(join(devDir, disk), sysBlock)));
    for (const device of new Set(found.flatMap((path) => path ?? []))) {
      await flushMultipath(device, run, signal).catch((error: unknown) => {
        signal.throwIfAborted();
        logger.warn('iscsi: a multipath device stays', { device, error });
      });
    }
    for (const disk of disks) await deleteScsiDisk(disk, sysBlock);
  } catch (error) {
    signal.throwIfAborted();
    logger.warn('iscsi detach disk: failed to delete devices', { iqn, lun, error });
  }
}

async function leave(parts: IscsiParts, folder: string, disk: IscsiDisk, signal: AbortSignal): Promise<void> {
  const leaveTarget = async (): Promise<void> => {
    if ((await volumesOf(parts, disk)) <= 1) await logOut(parts, disk, signal);
    // Within the lock: the last of two volumes of a session must not see the folder of the first.
    await removeOneFileSystem(folder);
  };
  await parts.targets.run(disk.iqn, leaveTarget, signal);
}

async function logOut({ iscsiadm }: IscsiParts, disk: IscsiDisk, signal: AbortSignal): Promise<void> {
  const { iqn, iface, volName, initiatorName } = disk;
  const portals = [...new Set(disk.portals)].filter((portal) => portal !== '');
  const run = async (args: readonly string[]): Promise<void> => {
    const { output, code, problem } = await iscsiadm(args, signal);
    if (problem === undefined || (code !== undefined && nothingThere.includes(code))) return;
    throw iscsiFault(`failed to finish detachISCSIDisk, err: ${problem}, output: ${output}`);
  };
  for (const portal of portals) {
    await run(['-m', 'node', '-p', portal, '-T', iqn, '--logout', '-I', iface]);
    await run(['-m', 'node', '-p', portal, '-T', iqn, '-o', 'delete', '-I', iface]);
  }
  if (initiatorName !== '' && iface === ownIface(portals, volName)) {
    await run(['-m', 'iface', '-I', iface, '-o', 'delete']);
  }
}

/** How many volumes, mounted or block, are of the disk's session. */
async function volumesOf({ pluginsDir }: IscsiParts, { portals, iqn }: IscsiDisk): Promise<number> {
  const { mounts, devices } = iscsiFolders(pluginsDir);
  let count = 0;
  for (const folder of [mounts, devices]) {
    for (const iface of (await namesIn(folder)).filter((name) => name.startsWith('iface-'))) {
      const names = await namesIn(join(folder, iface));
      count += names.filter((name) => name.startsWith(`${portals[0] ?? ''}-${iqn}-lun-`)).length;
    }
  }
  return count;
}

async function describeFailure(folder: string, detach: () => Promise<void>): Promise<void> {
  try {
    await detach();
  } catch (error) {
    throw iscsiFault(`iscsi: failed to detach disk: ${folder}\nError: ${messageOf(error)}`);
  }
}

async function namesIn(folder: string): Promise<readonly string[]> {
  return readdir(folder).catch((error: unknown) => {
    if (isMissing(error)) return [];
    throw error;
  });
}
