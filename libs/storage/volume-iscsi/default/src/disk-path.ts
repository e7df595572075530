import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { isMissing } from '@podwright/errors';
import { exists } from '@podwright/filesystem';
import type { Clock } from '@podwright/time';
import type { IscsiDisk } from './iscsi-disk.js';

const stepMs = 1_000;

/** Names of udev's links to the disk that one portal gives. `[]` of an IPv6 address are not part of them. */
export function diskLink(portal: string, { iqn, lun }: Pick<IscsiDisk, 'iqn' | 'lun'>): string {
  return `ip-${portal.replaceAll(/[[\]]/g, '')}-iscsi-${iqn}-lun-${lun}`;
}

/**
 * Waits until a disk is there: undefined when it is not after `tries` seconds. Cards with iSCSI of their own have disks
 * whose links begin with the card's PCI address. Source: kubernetes v1.36 pkg/volume/iscsi/iscsi_util.go
 * waitForPathToExist.
 */
export async function waitForDisk(
  { folder, link, transport, tries }: { folder: string; link: string; transport: string; tries: number },
  clock: Pick<Clock, 'sleep'>,
  signal: AbortSignal,
): Promise<string | undefined> {
  const find = async (): Promise<string | undefined> => {
    if (transport === 'tcp') return (await exists(join(folder, link))) ? join(folder, link) : undefined;
    const ofCard = (await namesIn(folder)).find((name) => name.startsWith('pci-') && name.endsWith(`-${link}`));
    return ofCard === undefined ? undefined : join(folder, ofCard);
  };
  return repeat(find, tries, clock, signal);
}

/** Calls `find` every second until it finds something, at most `tries` times. */
export async function repeat<T>(
  find: () => Promise<T | undefined>,
  tries: number,
  clock: Pick<Clock, 'sleep'>,
  signal: AbortSignal,
): Promise<T | undefined> {
  for (let left = tries; left > 0; left--) {
    const found = await find();
    if (found !== undefined) return found;
    if (left > 1) await clock.sleep(stepMs, signal);
  }
  return undefined;
}

async function namesIn(folder: string): Promise<readonly string[]> {
  const names = await readdir(folder).catch((error: unknown) => {
    if (isMissing(error)) return [];
    throw error;
  });
  return names.sort();
}
