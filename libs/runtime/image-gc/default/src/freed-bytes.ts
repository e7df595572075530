import type { Logger } from '@podwright/logging';
import type { Counter } from '@podwright/metrics';

/** Result of a pass: the bytes it wanted, the sizes of the removed images, and the free space before and after. */
export interface FreedBytes {
  /** Undefined: the pass removed all unused images. */
  readonly wantedBytes: bigint | undefined;
  readonly removedImages: number;
  /** Sum of the image sizes that the runtime reports. */
  readonly sizesBytes: bigint;
  /** Available space before the pass; undefined when it could not be read. The same for `availableAfter`. */
  readonly availableBefore: bigint | undefined;
  readonly availableAfter: bigint | undefined;
}

// Layers shared with other images stay, and other programs write meanwhile. A gain below half of the sizes is worth a
// warning.
const wordWorthyShare = 2n;

/**
 * Logs how much a pass freed. As upstream, the sum of image sizes decides when a pass ends. Images share layers, so a
 * removal frees less than that; the log shows both numbers to explain why a disk stays full.
 */
export function logFreedBytes(freed: FreedBytes, { logger, counter }: { logger: Logger; counter: Counter }): void {
  const { wantedBytes, removedImages, sizesBytes, availableBefore, availableAfter } = freed;
  counter.increment({ measure: 'image_sizes' }, Number(sizesBytes));
  const fields = {
    images: removedImages,
    wantedBytes: wantedBytes === undefined ? 'all' : Number(wantedBytes),
    sizesBytes: Number(sizesBytes),
  };
  if (availableBefore === undefined || availableAfter === undefined) {
    logger.info('Images were removed, but the image filesystem does not report what that freed', fields);
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
