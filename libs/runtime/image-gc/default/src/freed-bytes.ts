import type { Logger } from '@podwright/logging';
import type { Counter } from '@podwright/metrics';

/** A pass as it is told: what it wanted, what the sizes of the removed images promise, what the file system says. */
export interface FreedBytes {
  /** Undefined: all that is unused. */
  readonly wantedBytes: bigint | undefined;
  readonly removedImages: number;
  /** Sum of the sizes that the runtime tells. */
  readonly sizesBytes: bigint;
  /** Space before and after; undefined where it could not be read. */
  readonly availableBefore: bigint | undefined;
  readonly availableAfter: bigint | undefined;
}

// Layers that other images share stay, and whoever else writes takes of what was freed: less than half is worth a word.
const wordWorthyShare = 2n;

/**
 * Sizes are added up as upstream does, and they decide; but images share layers, so they promise more than a removal gives. What
 * the file system says stands beside it, for who wonders why the disk is still full.
 */
export function tellFreedBytes(freed: FreedBytes, { logger, counter }: { logger: Logger; counter: Counter }): void {
  const { wantedBytes, removedImages, sizesBytes, availableBefore, availableAfter } = freed;
  counter.increment({ measure: 'image_sizes' }, Number(sizesBytes));
  const fields = {
    images: removedImages,
    wantedBytes: wantedBytes === undefined ? 'all' : Number(wantedBytes),
    sizesBytes: Number(sizesBytes),
  };
  if (availableBefore === undefined || availableAfter === undefined) {
    logger.info('Images were removed, the image filesystem does not tell what that freed', fields);
    return;
  }
  const gained = availableAfter - availableBefore;
  counter.increment({ measure: 'file_system' }, Number(gained > 0n ? gained : 0n));
  const all = { ...fields, fileSystemBytes: Number(gained), availableBytes: Number(availableAfter) };
  if (gained * wordWorthyShare >= sizesBytes) logger.info('Images were removed', all);
  else {
    const why = 'their layers may be in use by other images, or something else writes';
    logger.warn(`Images were removed, the image filesystem gained far less than their sizes: ${why}`, all);
  }
}
