import { realpath } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { deleteScsiDisk, flushMultipath, multipathSlaves } from '@podwright/block-device';
import { isMissing, KubeletError, messageOf } from '@podwright/errors';
import type { FcParts } from './fc-parts.js';

// Source: kubernetes v1.36 pkg/volume/fc/attacher.go UnmountDevice.
const pauseMs = 10_000;
const mostTries = 13; // for two minutes

/**
 * Removes a disk from the node, with its multipath device. One that is gone is no error. Source: kubernetes v1.36
 * pkg/volume/fc/fc_util.go DetachDisk.
 */
export async function removeDisk(path: string, parts: FcParts, signal: AbortSignal): Promise<void> {
  await (
    await planRemoval(path, parts)
  )(signal);
}

/** Retries for two minutes: a multipath device stays busy for a while after it was unmounted. */
export async function removeDiskPatiently(path: string, parts: FcParts, signal: AbortSignal): Promise<void> {
  const remove = await planRemoval(path, parts);
  for (let left = mostTries; ; left--) {
    try {
      await remove(signal);
      return;
    } catch (error) {
      signal.throwIfAborted();
      if (left <= 1) {
        const message = `fc: failed to detach disk: ${path}: ${messageOf(error)}`;
        throw new KubeletError(message, { code: 'unavailable', cause: error });
      }
      parts.logger.warn('fc: a disk cannot be removed yet', { path, error });
      await parts.clock.sleep(pauseMs, signal);
    }
  }
}

/** Finds out which disks to remove; without its multipath device nobody could tell. The result may be called again. */
async function planRemoval(
  path: string,
  { run, sysDir, logger }: FcParts,
): Promise<(signal: AbortSignal) => Promise<void>> {
  const sysBlock = join(sysDir, 'block');
  // Such as /dev/mapper/mpatha, a link to /dev/dm-0.
  const device = await realpath(path).catch((error: unknown) => {
    if (!isMissing(error)) throw error;
    return path;
  });
  const isMultipath = device.startsWith('/dev/dm-');
  const disks = isMultipath ? await multipathSlaves(device, sysBlock) : [device];
  let isFlushed = !isMultipath;
  return async (signal) => {
    if (!isFlushed) await flushMultipath(device, run, signal);
    isFlushed = true;
    for (const disk of disks) {
      const { problem } = await run({ file: 'blockdev', args: ['--flushbufs', disk] }, signal);
      signal.throwIfAborted();
      if (problem !== undefined) logger.info('fc: buffers of a disk cannot be flushed', { disk, problem });
      await deleteScsiDisk(basename(disk), sysBlock);
    }
  };
}
