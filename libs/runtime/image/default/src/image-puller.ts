import { Gate } from '@podwright/concurrency';
import type {
  CallOptions,
  DeepPartial,
  ImageService,
  ImageSpec,
  PodSandboxConfig,
} from '@podwright/cri-client-interface';
import type { Logger } from '@podwright/logging';
import type { Clock } from '@podwright/time';
import type { PullLimiter } from './pull-limiter.js';

export interface PulledImage {
  readonly imageRef: string;
  /** 0n when the runtime did not tell. */
  readonly sizeBytes: bigint;
  /** Without the time of waiting for other pulls. */
  readonly pullMs: number;
}

export interface ImagePullerDeps {
  readonly images: ImageService;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly limiter: PullLimiter;
}

/** Pulls a limited number of images at a time, first come first served. Source: kubernetes v1.36 pkg/kubelet/images/puller.go. */
export class ImagePuller {
  private readonly gate: Gate | undefined;

  /** `parallelPulls` 0: no limit. */
  constructor(
    private readonly deps: ImagePullerDeps,
    parallelPulls: number,
  ) {
    this.gate = parallelPulls === 0 ? undefined : new Gate({ places: parallelPulls });
  }

  /** Rejects with the runtime's error; `signal` ends the waiting and the pull. */
  async pull(
    image: DeepPartial<ImageSpec>,
    sandboxConfig: DeepPartial<PodSandboxConfig>,
    signal?: AbortSignal,
  ): Promise<PulledImage> {
    const options: CallOptions = signal === undefined ? {} : { signal };
    const leave = await this.gate?.enter(options);
    try {
      const startedAtMs = this.deps.clock.monotonic();
      this.deps.limiter.take();
      const { imageRef } = await this.deps.images.pullImage({ image, sandboxConfig }, options);
      const pullMs = this.deps.clock.monotonic() - startedAtMs;
      return { imageRef, pullMs, sizeBytes: await this.sizeOf(image, options) };
    } finally {
      leave?.();
    }
  }

  /** The size is for the event and a metric only, so that its failure is none of the pull. */
  private async sizeOf(image: DeepPartial<ImageSpec>, options: CallOptions): Promise<bigint> {
    try {
      const { image: found } = await this.deps.images.imageStatus({ image }, options);
      return found?.size ?? 0n;
    } catch (error) {
      this.deps.logger.warn('size of a pulled image is not known', { image: image.image, error });
      return 0n;
    }
  }
}
