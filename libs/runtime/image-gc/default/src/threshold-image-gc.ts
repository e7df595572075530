import { CLOCK, LOGGER, METRICS, needs, optional, pick, type Health, type Needs } from '@podwright/assembly-interface';
import { abortable, Mutex } from '@podwright/concurrency';
import { IMAGE_SERVICE, RUNTIME_SERVICE } from '@podwright/cri-client-interface';
import { KubeletError, messageOf, rethrowAsRpc } from '@podwright/errors';
import { EVENT_RECORDER } from '@podwright/events-interface';
import type { ImageGc } from '@podwright/image-gc-interface';
import { IMAGE_PULL_RECORDS } from '@podwright/image-pull-records-interface';
import { JOURNAL, type ImageGc as ImageGcReport } from '@podwright/journal-interface';
import type { Logger } from '@podwright/logging';
import type { Counter } from '@podwright/metrics';
import { IMAGE_FS_STATS } from '@podwright/stats-interface';
import { withLinkedSignal } from '@podwright/time';
import { TRACER } from '@podwright/tracing-interface';
import { diskUsage } from './disk-usage.js';
import { formatSize } from './format-size.js';
import { failure, FreeImages } from './free-images.js';
import { logFreedBytes } from './freed-bytes.js';
import { ImageRecords, type ImageRecord } from './image-records.js';
import { ImagesInUse } from './images-in-use.js';
import type { ThresholdImageGcConfig } from './threshold-image-gc-config.js';

export const imageGcNeeds = needs({
  runtime: pick(RUNTIME_SERVICE, 'listContainers', 'containerStatus'),
  images: pick(IMAGE_SERVICE, 'listImages', 'removeImage'),
  stats: IMAGE_FS_STATS,
  events: EVENT_RECORDER,
  metrics: METRICS,
  clock: CLOCK,
  logger: LOGGER,
  tracer: optional(TRACER),
  /** Prunes its records to the images that are left. */
  pullRecords: optional(pick(IMAGE_PULL_RECORDS, 'prune')),
  journal: optional(JOURNAL),
});
export type ImageGcNeeds = Needs<typeof imageGcNeeds>;

/**
 * {@link ImageGc} with two thresholds of disk usage, a minimum and a maximum age. Lists the images each period even
 * when it never collects, so that it knows their ages.
 */
export class ThresholdImageGc implements ImageGc {
  private readonly logger: Logger;
  private readonly records: ImageRecords;
  private readonly inUse: ImagesInUse;
  private readonly free: FreeImages;
  private readonly freedBytes: Counter;
  private readonly oneAtATime = new Mutex();
  private readonly stopping = new AbortController();
  private readonly bornAt: number;
  private failedBefore = false;
  private loop: Promise<void> | undefined;

  constructor(
    private readonly deps: ImageGcNeeds,
    private readonly config: ThresholdImageGcConfig,
  ) {
    const { runtime, images, metrics, clock, logger, journal } = deps;
    this.logger = logger.with({ logger: 'image-gc' });
    this.records = new ImageRecords(config.runtimeClassInImageCriApi);
    this.inUse = new ImagesInUse(runtime, config.runtimeClassInImageCriApi);
    const collected = metrics.counter({
      name: 'kubelet_image_garbage_collected_total',
      help: 'Total number of images garbage collected by the kubelet, whether through disk usage or image age.',
      labels: ['reason'],
    });
    this.freedBytes = metrics.counter({
      name: 'podwright_image_gc_freed_bytes_total',
      help: 'What removed images should have freed by their sizes, and what the image filesystem gained',
      labels: ['measure'],
    });
    this.free = new FreeImages({ images, records: this.records, collected, logger: this.logger, journal });
    this.bornAt = clock.monotonic();
  }

  async start(): Promise<void> {
    if (this.loop !== undefined || this.stopping.signal.aborted) return;
    const { highThresholdPercent, maxAgeMs, periodMs } = this.config;
    const collects = highThresholdPercent !== 100 || maxAgeMs !== 0;
    if (!collects) {
      this.logger.debug(2, 'ImageGCHighThresholdPercent is set 100 and ImageMaximumGCAge is 0, Disable image GC');
    }
    const task = collects ? () => this.collectInBackground() : () => this.detectInBackground();
    this.loop = this.deps.clock.every(periodMs, task, this.stopping.signal);
  }

  async stop(): Promise<void> {
    this.stopping.abort(new KubeletError('image garbage collection is stopping', { code: 'cancelled' }));
    await this.loop;
  }

  healthy(): Health {
    return { ok: true, ...(this.failedBefore && { detail: 'the last image garbage collection has failed' }) };
  }

  async garbageCollect(signal?: AbortSignal): Promise<void> {
    await this.pass((until) => this.traced(() => this.collect(until)), signal);
  }

  async deleteUnusedImages(signal?: AbortSignal): Promise<void> {
    await this.pass((until) => this.deleteAll(until), signal);
  }

  private async collect(signal: AbortSignal): Promise<void> {
    const now = this.deps.clock.monotonic();
    const startedAtMs = this.deps.clock.now();
    const candidates = await this.freeOld(await this.detect(now, signal), now, signal);
    const { imageFs } = await this.deps.stats.imageFsStats(signal);
    const usage = diskUsage(imageFs, this.config);
    if (usage === undefined) {
      const message = 'invalid capacity 0 on image filesystem';
      this.deps.events.event({ kind: 'Node' }, 'Warning', 'InvalidDiskCapacity', message);
      throw new KubeletError(message, { code: 'failed-precondition' });
    }
    const { usagePercent, capacityBytes, bytesToFree, availableBytes } = usage;
    if (bytesToFree === undefined) return;
    const { highThresholdPercent: highThreshold, lowThresholdPercent: lowThreshold } = this.config;
    const message =
      'Disk usage on image filesystem is over the high threshold, trying to free bytes down to the low threshold';
    this.logger.info(message, { usage: usagePercent, highThreshold, amountToFree: Number(bytesToFree), lowThreshold });
    const why = {
      cause: 'threshold',
      usagePercent,
      highThresholdPercent: highThreshold,
      lowThresholdPercent: lowThreshold,
      bytesToFree: Number(bytesToFree),
    } as const;
    const pass = { why, bytesToFree, now, startedAtMs, availableBytes };
    const freedBytes = await this.freeSpace(candidates, pass, signal);
    if (freedBytes >= bytesToFree) return;
    const complaint =
      `Insufficient free disk space on the node's image filesystem (${usagePercent}% of ${formatSize(capacityBytes)} used). ` +
      `Failed to free sufficient space by deleting unused images (freed ${freedBytes} bytes). ` +
      'Investigate disk usage, as it could be used by active images, logs, volumes, or other data.';
    this.deps.events.event({ kind: 'Node' }, 'Warning', 'FreeDiskSpaceFailed', complaint);
    throw new KubeletError(complaint, { code: 'resource-exhausted' });
  }

  private async deleteAll(signal: AbortSignal): Promise<void> {
    this.logger.info('Attempting to delete unused images');
    const now = this.deps.clock.monotonic();
    const startedAtMs = this.deps.clock.now();
    const candidates = await this.detect(now, signal);
    const availableBytes = candidates.length === 0 ? undefined : await this.available(signal);
    const why = { cause: 'eviction' } as const;
    await this.freeSpace(candidates, { why, bytesToFree: undefined, now, startedAtMs, availableBytes }, signal);
  }

  /** Resolves to the unused images in the order of their removal. */
  private async detect(detectedAt: number, signal: AbortSignal): Promise<readonly ImageRecord[]> {
    const { images } = await this.deps.images.listImages({}, { signal }).catch(rethrowAsRpc);
    const inUse = await this.inUse.find(images, signal);
    this.records.observe(images, inUse, detectedAt, this.deps.clock.monotonic());
    return this.records.inEvictionOrder(inUse);
  }

  private async freeOld(
    images: readonly ImageRecord[],
    now: number,
    signal: AbortSignal,
  ): Promise<readonly ImageRecord[]> {
    const { maxAgeMs } = this.config;
    // Before that, the records do not reach back far enough to show that an image was unused for so long.
    if (maxAgeMs === 0 || now - this.bornAt <= maxAgeMs) return images;
    return this.free.byAge(images, { now, maxAgeMs }, signal);
  }

  /** Resolves to the sum of the sizes of the removed images. */
  private async freeSpace(
    images: readonly ImageRecord[],
    pass: {
      readonly why: Omit<ImageGcReport, 'kind' | 'freedBytes' | 'removed' | 'error'>;
      readonly bytesToFree: bigint | undefined;
      readonly now: number;
      readonly startedAtMs: number;
      readonly availableBytes: bigint | undefined;
    },
    signal: AbortSignal,
  ): Promise<bigint> {
    const { why, bytesToFree, now, startedAtMs, availableBytes: availableBefore } = pass;
    const { minAgeMs } = this.config;
    const { cause } = why;
    const limits = { cause, bytesToFree, now, minAgeMs };
    const { freedBytes, removed, errors } = await this.free.bySpace(images, limits, signal);
    const [error] = errors;
    const failed = error !== undefined && { error: messageOf(error) };
    this.deps.journal?.report({ kind: 'image.gc', ...why, freedBytes: Number(freedBytes), removed, ...failed });
    if (removed > 0) {
      const availableAfter = await this.available(signal);
      logFreedBytes(
        { wantedBytes: bytesToFree, removedImages: removed, sizesBytes: freedBytes, availableBefore, availableAfter },
        { logger: this.logger, counter: this.freedBytes },
      );
    }
    if (errors.length > 0) {
      const wanted = bytesToFree ?? 2n ** 63n - 1n; // upstream's "all"
      const what = `wanted to free ${wanted} bytes, but freed ${freedBytes} bytes space with errors in image deletion`;
      throw failure(what, errors);
    }
    // Keeps the records of all images on the node: an image in use without a record would count as preloaded, and any
    // pod could use it.
    await this.prunePullRecords(this.records.ids, startedAtMs);
    return freedBytes;
  }

  /** Available bytes for the log; undefined when they cannot be read. */
  private async available(signal: AbortSignal): Promise<bigint | undefined> {
    try {
      const { availableBytes } = (await this.deps.stats.imageFsStats(signal)).imageFs;
      return availableBytes === undefined ? undefined : BigInt(Math.trunc(availableBytes));
    } catch (error) {
      signal.throwIfAborted();
      this.logger.debug(2, 'The image filesystem cannot be read', { error });
      return undefined;
    }
  }

  /** Logs a failure and continues: a full disk may prevent the write, but the images are removed. */
  private async prunePullRecords(imageIds: ReadonlySet<string>, untilMs: number): Promise<void> {
    try {
      await this.deps.pullRecords?.prune(imageIds, untilMs);
    } catch (error) {
      this.logger.error('Records of pulled images were not pruned', { error });
    }
  }

  private async collectInBackground(): Promise<void> {
    try {
      await this.garbageCollect();
      this.logger.debug(this.failedBefore ? 1 : 4, 'Image garbage collection succeeded');
      this.failedBefore = false;
    } catch (error) {
      if (this.stopping.signal.aborted) return;
      if (this.failedBefore) {
        this.logger.error('Image garbage collection failed multiple times in a row', { error });
        // Only a repeated failure becomes an event: at the first, statistics may not be there yet.
        this.deps.events.event({ kind: 'Node' }, 'Warning', 'ImageGCFailed', messageOf(error));
      } else {
        const message = 'Image garbage collection failed once. Stats initialization may not have completed yet';
        this.logger.error(message, { error });
      }
      this.failedBefore = true;
    }
  }

  private async detectInBackground(): Promise<void> {
    try {
      await this.pass(async (signal) => void (await this.detect(this.deps.clock.monotonic(), signal)));
    } catch (error) {
      if (!this.stopping.signal.aborted) this.logger.info('Failed to monitor images', { error });
    }
  }

  private traced(work: () => Promise<void>): Promise<void> {
    return this.deps.tracer === undefined ? work() : this.deps.tracer.trace('Images/GarbageCollect', {}, work);
  }

  /** Runs one pass at a time. Rejects as soon as either signal aborts, even when the runtime does not answer. */
  private pass(work: (signal: AbortSignal) => Promise<void>, signal?: AbortSignal): Promise<void> {
    return withLinkedSignal([this.stopping.signal, signal], (until) =>
      this.oneAtATime.run(() => abortable(work(until), until), { signal: until }),
    );
  }
}
