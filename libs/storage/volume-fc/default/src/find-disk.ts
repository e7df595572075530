import { readdir, realpath } from 'node:fs/promises';
import { join } from 'node:path';
import { multipathDevice, writeKernelAttribute } from '@podwright/block-device';
import { isMissing, KubeletError } from '@podwright/errors';
import type { FcDisk } from './fc-disk.js';
import type { FcParts } from './fc-parts.js';

type Folders = Pick<FcParts, 'sysDir' | 'devDir' | 'logger'>;

export interface FoundDisk {
  /** Such as `/dev/sdb`, or the multipath device `/dev/dm-0`. */
  readonly path: string;
  readonly isMultipath: boolean;
}

/**
 * Finds a disk among those that the kernel knows; the multipath device wins. Undefined without one. Source: kubernetes
 * v1.36 pkg/volume/fc/fc_util.go findDisk, findDiskWWIDs.
 */
export async function findDisk(disk: FcDisk, { sysDir, devDir }: Folders): Promise<FoundDisk | undefined> {
  const folder = join(devDir, 'disk', 'wwns' in disk ? 'by-path' : 'by-id');
  const names = await namesBelow(folder);
  let first: string | undefined;
  for (const matches of matchersOf(disk)) {
    for (const name of names.filter(matches)) {
      const path = await realpath(join(folder, name)).catch(unlessGone);
      if (path === undefined) continue;
      const multipath = await multipathDevice(path, join(sysDir, 'block'));
      if (multipath !== undefined) return { path: multipath, isMultipath: true };
      first ??= path;
      break;
    }
  }
  return first === undefined ? undefined : { path: first, isMultipath: false };
}

/** Makes the kernel look for new disks once unless there is a multipath device. Source: searchDisk. */
export async function searchDisk(disk: FcDisk, folders: Folders): Promise<string> {
  const known = await findDisk(disk, folders);
  if (known?.isMultipath === true) return known.path;
  await scanAllHosts(folders);
  const found = await findDisk(disk, folders);
  if (found !== undefined) return found.path;
  throw new KubeletError('no fc disk found', { code: 'not-found' });
}

function matchersOf(disk: FcDisk): readonly ((name: string) => boolean)[] {
  if ('wwids' in disk) return disk.wwids.map((wwid) => (name) => name === `scsi-${wwid}`);
  return disk.wwns.map((wwn) => {
    const end = `fc-0x${wwn}-lun-${disk.lun}`;
    return (name) => name === end || (name.startsWith('pci-') && name.endsWith(`-${end}`));
  });
}

async function scanAllHosts({ sysDir, logger }: Folders): Promise<void> {
  const folder = join(sysDir, 'class/scsi_host');
  for (const host of await namesBelow(folder)) {
    await writeKernelAttribute(join(folder, host, 'scan'), '- - -').catch((error: unknown) =>
      logger.warn('fc: a host cannot be scanned', { host, error }),
    );
  }
}

/** Sorted. */
async function namesBelow(folder: string): Promise<readonly string[]> {
  return ((await readdir(folder).catch(unlessGone)) ?? []).sort();
}

function unlessGone(error: unknown): undefined {
  if (!isMissing(error)) throw error;
}
