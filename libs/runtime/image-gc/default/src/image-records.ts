import type { Image } from '@podwright/cri-client-interface';
import { imageKey } from './image-key.js';

/** What the collector knows of one image. Times are in milliseconds of the monotonic clock. */
export interface ImageRecord {
  readonly key: string;
  readonly id: string;
  readonly runtimeHandler: string;
  readonly firstDetectedAt: number;
  /** -Infinity: never seen in use. */
  readonly lastUsedAt: number;
  readonly sizeBytes: bigint;
  readonly pinned: boolean;
  /** Its tags and digests. */
  readonly names: readonly string[];
}

/**
 * When each image was first detected and when it was last seen in use. As upstream, the records are in memory only:
 * after a restart all images are new, so the minimum and maximum age start again.
 */
export class ImageRecords {
  private records = new Map<string, ImageRecord>();

  constructor(private readonly runtimeClassInImageCriApi: boolean) {}

  get size(): number {
    return this.records.size;
  }

  /** Ids of all images on the node, those in use or pinned included. */
  get ids(): ReadonlySet<string> {
    return new Set([...this.records.values()].map(({ id }) => id));
  }

  /**
   * Takes a list of all images and forgets those that are not in it. `detectedAt` is when the pass began, `now` when
   * the list was complete.
   */
  observe(images: readonly Image[], inUse: ReadonlySet<string>, detectedAt: number, now: number): void {
    const current = new Map<string, ImageRecord>();
    for (const { id, spec, size, pinned, repoTags = [], repoDigests = [] } of images) {
      const runtimeHandler = spec?.runtimeHandler ?? '';
      const key = imageKey({ id, runtimeHandler }, this.runtimeClassInImageCriApi);
      const known = this.records.get(key);
      current.set(key, {
        key,
        id,
        runtimeHandler,
        firstDetectedAt: known?.firstDetectedAt ?? detectedAt,
        lastUsedAt: inUse.has(key) ? now : (known?.lastUsedAt ?? -Infinity),
        sizeBytes: size,
        pinned,
        names: [...repoTags, ...repoDigests],
      });
    }
    this.records = current;
  }

  forget(key: string): void {
    this.records.delete(key);
  }

  /** Images that are neither in use nor pinned: the longest unused first, then the earliest detected. */
  inEvictionOrder(inUse: ReadonlySet<string>): readonly ImageRecord[] {
    return [...this.records.values()]
      .filter(({ key, pinned, id }) => !inUse.has(key) && !pinned && id !== '')
      .sort(
        (left, right) => order(left.lastUsedAt, right.lastUsedAt) || order(left.firstDetectedAt, right.firstDetectedAt),
      );
  }
}

/** Compares without subtraction: -Infinity minus -Infinity is NaN. */
function order(left: number, right: number): number {
  return left < right ? -1 : left > right ? 1 : 0;
}
