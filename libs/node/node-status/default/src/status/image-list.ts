import type { ImageService } from '@podwright/cri-client-interface';
import type { Logger } from '@podwright/logging';
import { FailureLog } from '@podwright/logging';
import type { Clock } from '@podwright/time';
import { imagesBySize, type ListedImage } from './node-images.js';
import { waitAtMost } from '../wait-at-most.js';

const listPeriodMs = 30_000;
// The first status should contain images, but must not wait for a slow runtime.
const firstListPatienceMs = 2_000;

/**
 * The images of the node, listed every 30 s; keeps the last list when a call fails. Source: kubernetes v1.36
 * pkg/kubelet/images/image_gc_manager.go imageCache.
 */
export class ImageList {
  private readonly failureLog: FailureLog;
  private images: readonly ListedImage[] = [];
  private loop: Promise<void> = Promise.resolve();

  constructor(
    private readonly service: Pick<ImageService, 'listImages'>,
    private readonly clock: Clock,
    logger: Logger,
  ) {
    this.failureLog = new FailureLog(logger, clock);
  }

  /** Resolves after the first list, or when that takes too long. */
  async start(signal: AbortSignal): Promise<void> {
    const first = this.list(signal);
    this.loop = first.then(async () => {
      await this.clock.sleep(listPeriodMs, signal).catch(() => undefined);
      if (!signal.aborted) await this.clock.every(listPeriodMs, () => this.list(signal), signal);
    });
    await waitAtMost(this.clock, firstListPatienceMs, first);
  }

  /** Resolves when the loop has ended; abort the signal of `start` first. */
  ended(): Promise<void> {
    return this.loop;
  }

  /** Sorted by size, the largest first. */
  current(): readonly ListedImage[] {
    return this.images;
  }

  private async list(signal: AbortSignal): Promise<void> {
    try {
      const { images } = await this.service.listImages({}, { signal });
      this.images = imagesBySize(
        images.map(({ id, repoDigests, repoTags, size }) => ({ id, repoDigests, repoTags, size })),
      );
      this.failureLog.over('The images of the node can be listed again');
    } catch (error) {
      if (!signal.aborted) this.failureLog.failed('list', 'Failed to update image list', { error });
    }
  }
}
