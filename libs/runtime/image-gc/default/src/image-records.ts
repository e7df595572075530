import type { Image } from '@podwright/cri-client-interface';
import { imageKey } from './image-key.js';

/** What is known of one image on the node. Times are those of the monotonic clock, in milliseconds. */
export interface ImageRecord {
  readonly key: string;
  readonly id: string;
  readonly runtimeHandler: string;
  readonly firstDetectedAt: number;
  /** -Infinity: never seen in use. */
  readonly lastUsedAt: number;
  readonly sizeBytes: bigint;
  readonly pinned: boolean;
}

/**
 * Since when images are known and when they were last seen in use. In memory alone, as upstream: after a restart all images are
 * new, so none is removed for its size before the minimum age nor for its age before the maximum age has gone by.
 */
export class ImageRecords {
  private records = new Map<string, ImageRecord>();

  constructor(private readonly runtimeClassInImageCriApi: boolean) {}

  get size(): number {
    return this.records.size;
  }

  /** Ids of all images that are there, also of those in use or pinned. */
  get ids(): ReadonlySet<string> {
    return new Set([...this.records.values()].map(({ id }) => id));
  }

  /** Takes in a list of all images; what is not in it is forgotten. `now` may be later than the detection began. */
  observe(images: readonly Image[], inUse: ReadonlySet<string>, detectedAt: number, now: number): void {
    const current = new Map<string, ImageRecord>();
    for (const { id, spec, size, pinned } of images) {
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
      });
    }
    this.records = current;
  }

  forget(key: string): void {
    this.records.delete(key);
  }

  /** Neither in use nor pinned: those not used for longest first, among equals those detected first. */
  inEvictionOrder(inUse: ReadonlySet<string>): readonly ImageRecord[] {
    return [...this.records.values()]
      .filter(({ key, pinned, id }) => !inUse.has(key) && !pinned && id !== '')
      .sort(
        (left, right) => order(left.lastUsedAt, right.lastUsedAt) || order(left.firstDetectedAt, right.firstDetectedAt),
      );
  }
}

/** Not a difference: that of two times that never were is no number. */
function order(left: number, right: number): number {
  return left < right ? -1 : left > right ? 1 : 0;
}
