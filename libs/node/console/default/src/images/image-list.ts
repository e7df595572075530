import { withDeadline } from '@podwright/concurrency';
import type { ImagesView } from '@podwright/console-interface';
import { deepEqual, podUid } from '@podwright/kube-types';
import { FailureLog } from '@podwright/logging';
import type { ConsoleParts } from '../console-needs.js';
import { imagesView, type ImageKnowledge } from './images-view.js';

const timeoutMs = 10_000;
// Somebody may remove an image beside the kubelet.
const oldestMs = 30_000;

export type ImageFsUse = { readonly usedBytes: number | undefined; readonly capacityBytes: number | undefined };

/** The images of the node. The runtime is asked when something happened to images, and now and then. */
export class ImageList {
  private images: ImageKnowledge['images'] = [];
  private listedAt = -Infinity;
  private isDirty = false;
  private listing: Promise<void> | undefined;
  private shown: ImagesView = { images: [], pulls: [] };
  private readonly failures: FailureLog;

  constructor(
    private readonly parts: Pick<ConsoleParts, 'images' | 'pods' | 'cache' | 'pulls' | 'clock' | 'logger'>,
    private readonly imageFs: () => ImageFsUse,
  ) {
    this.failures = new FailureLog(parts.logger, parts.clock);
  }

  view(): ImagesView {
    return this.shown;
  }

  touch(): void {
    this.isDirty = true;
  }

  /** Asks the runtime if it is due. Never rejects. */
  async list(signal: AbortSignal): Promise<void> {
    if (!this.isDirty && this.parts.clock.monotonic() - this.listedAt < oldestMs) return this.listing;
    this.listing ??= this.askRuntime(signal).finally(() => (this.listing = undefined));
    return this.listing;
  }

  /** The view, when it differs from the last one. */
  changed(): ImagesView | undefined {
    const { pods, cache, pulls, clock } = this.parts;
    const { usedBytes: imageFsUsedBytes, capacityBytes: imageFsCapacityBytes } = this.imageFs();
    const next = imagesView({
      ...{ images: this.images, nowMs: clock.now(), pulls: pulls?.pulls() ?? [] },
      ...{ imageFsUsedBytes, imageFsCapacityBytes },
      pods: pods.getPods().flatMap((pod) => {
        try {
          return [cache.get(podUid(pod))];
        } catch {
          return []; // The cache throws the error of the last inspection, which the pod's own page shows.
        }
      }),
    });
    // A few bytes more on the disk are nothing that a list of images should be sent for.
    const isSame = deepEqual([next.images, next.pulls], [this.shown.images, this.shown.pulls]);
    this.shown = next;
    return isSame ? undefined : next;
  }

  private async askRuntime(signal: AbortSignal): Promise<void> {
    const { images, clock } = this.parts;
    this.isDirty = false;
    try {
      const list = (either: AbortSignal): ReturnType<typeof images.listImages> =>
        images.listImages({}, { signal: either });
      this.images = (await withDeadline(clock, timeoutMs, list, signal)).images;
      this.failures.over('The console can list images again');
    } catch (error) {
      if (!signal.aborted) this.failures.failed('list', 'The console cannot list images', { error });
    } finally {
      this.listedAt = clock.monotonic();
    }
  }
}
