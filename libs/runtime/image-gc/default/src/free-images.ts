import type { ImageService } from '@podwright/cri-client-interface';
import { KubeletError, messageOf, rpcErrorText } from '@podwright/errors';
import type { ImageRemoved, Journal } from '@podwright/journal-interface';
import type { Logger } from '@podwright/logging';
import type { Counter } from '@podwright/metrics';
import { formatGoDuration } from '@podwright/time';
import type { ImageRecord, ImageRecords } from './image-records.js';

export interface FreeImagesDeps {
  readonly images: Pick<ImageService, 'removeImage'>;
  readonly records: ImageRecords;
  readonly collected: Counter;
  readonly logger: Logger;
  readonly journal: Journal | undefined;
}

export type ImageGcCause = Exclude<ImageRemoved['cause'], 'age'>;

export interface FreedSpace {
  /** Sum of the image sizes that the runtime reports. */
  readonly freedBytes: bigint;
  readonly removed: number;
  /** Errors of the removals that failed. */
  readonly errors: readonly unknown[];
}

/** Removes images one after the other. Source: kubernetes v1.36 pkg/kubelet/images/image_gc_manager.go. */
export class FreeImages {
  constructor(private readonly deps: FreeImagesDeps) {}

  /**
   * Removes images unused for longer than `maxAgeMs`, and those never seen in use. Resolves to the remaining images in
   * the same order; rejects with all failures when a removal failed.
   */
  async byAge(
    images: readonly ImageRecord[],
    { now, maxAgeMs }: { readonly now: number; readonly maxAgeMs: number },
    signal: AbortSignal,
  ): Promise<readonly ImageRecord[]> {
    const left: ImageRecord[] = [];
    const errors: unknown[] = [];
    for (const image of images) {
      const isOld = now - image.lastUsedAt > maxAgeMs;
      const error = isOld ? await this.remove(image, 'age', now, signal) : undefined;
      if (error !== undefined) errors.push(error);
      if (!isOld || error !== undefined) left.push(image);
    }
    if (errors.length === 0) return left;
    const age = formatGoDuration(maxAgeMs);
    throw failure(`wanted to free images older than ${age}, encountered errors in image deletion`, errors);
  }

  /**
   * Removes images in the given order until `bytesToFree` bytes are freed; undefined removes all. Rejects only when the
   * signal aborts.
   */
  async bySpace(
    images: readonly ImageRecord[],
    options: {
      readonly cause: ImageGcCause;
      readonly bytesToFree: bigint | undefined;
      readonly now: number;
      readonly minAgeMs: number;
    },
    signal: AbortSignal,
  ): Promise<FreedSpace> {
    const { cause, bytesToFree, now, minAgeMs } = options;
    const errors: unknown[] = [];
    let freedBytes = 0n;
    let removed = 0;
    for (const image of images) {
      // A recently pulled image is about to be used.
      if (image.lastUsedAt >= now || now - image.firstDetectedAt < minAgeMs) continue;
      const error = await this.remove(image, cause, now, signal);
      if (error !== undefined) {
        errors.push(error);
        continue;
      }
      removed++;
      freedBytes += image.sizeBytes;
      if (bytesToFree !== undefined && freedBytes >= bytesToFree) break;
    }
    return { freedBytes, removed, errors };
  }

  /** Resolves to the error of a failed removal, else undefined; rejects only with the signal's reason. */
  private async remove(
    image: ImageRecord,
    cause: ImageRemoved['cause'],
    now: number,
    signal: AbortSignal,
  ): Promise<unknown> {
    signal.throwIfAborted();
    const { images, records, collected, logger } = this.deps;
    const { id: imageId, sizeBytes, runtimeHandler } = image;
    logger.info('Removing image to free bytes', { imageId, size: Number(sizeBytes), runtimeHandler });
    try {
      await images.removeImage({ image: { image: imageId } }, { signal });
    } catch (error) {
      signal.throwIfAborted();
      logger.error('Failed to remove image', { imageId, error });
      this.journalize(image, cause, now, messageOf(error));
      return error;
    }
    records.forget(image.key);
    collected.increment({ reason: cause === 'age' ? 'age' : 'space' });
    this.journalize(image, cause, now);
    return undefined;
  }

  private journalize(
    { id: imageId, names, sizeBytes, lastUsedAt }: ImageRecord,
    cause: ImageRemoved['cause'],
    now: number,
    error?: string,
  ): void {
    this.deps.journal?.report({
      kind: 'image.removed',
      imageId,
      names,
      cause,
      sizeBytes: Number(sizeBytes),
      ...(Number.isFinite(lastUsedAt) && { unusedMs: now - lastUsedAt }),
      ...(error !== undefined && { error }),
    });
  }
}

/** Joins the runtime's refusals as upstream: each text once, in brackets when there are several. */
export function failure(what: string, errors: readonly unknown[]): KubeletError {
  const texts = [...new Set(errors.map(rpcErrorText))];
  const joined = texts.length === 1 ? texts[0] : `[${texts.join(', ')}]`;
  return new KubeletError(`${what}: ${joined}`, { code: 'internal', cause: errors[0] });
}
