import { Gate } from '@podwright/concurrency';
import type {
  CallOptions,
  DeepPartial,
  ImageService,
  ImageSpec,
  PodSandboxConfig,
} from '@podwright/cri-client-interface';
import { KubeletError } from '@podwright/errors';
import type { TrackedCredential } from '@podwright/image-credentials-interface';
import type { Logger } from '@podwright/logging';
import type { Clock } from '@podwright/time';
import { pullErrorText } from './pull-error.js';
import type { PullLimiter } from './pull-limiter.js';
import type { PullTracker } from './pulls-under-way.js';

export interface PulledImage {
  readonly imageRef: string;
  /** 0n when the runtime did not tell. */
  readonly sizeBytes: bigint;
  /** Without the time of waiting for other pulls. */
  readonly pullMs: number;
  /** The one that worked; absent: the pull was anonymous. */
  readonly credential?: TrackedCredential;
}

export interface PullRequest {
  readonly image: DeepPartial<ImageSpec>;
  readonly sandboxConfig: DeepPartial<PodSandboxConfig>;
  /** In the order in which they are tried; none: an anonymous pull. */
  readonly credentials: readonly TrackedCredential[];
  readonly tracker: PullTracker;
  /** Ends the waiting and the pull. */
  readonly signal?: AbortSignal;
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

  /**
   * With each of the credentials until one works, without any when there are none. Rejects with the runtime's error, or
   * those of all tries.
   */
  async pull(request: PullRequest): Promise<PulledImage> {
    const { signal, tracker, image } = request;
    const options: CallOptions = signal === undefined ? {} : { signal };
    const leave = await this.gate?.enter(options);
    try {
      tracker.pulling();
      const startedAtMs = this.deps.clock.monotonic();
      const pulled = await this.pullWithEach(request, options);
      // Upstream's time of a pull has the question for the size in it.
      const sizeBytes = await this.sizeOf(image, options);
      return { ...pulled, sizeBytes, pullMs: this.deps.clock.monotonic() - startedAtMs };
    } finally {
      leave?.();
    }
  }

  private async pullWithEach(
    { credentials, image, sandboxConfig }: PullRequest,
    options: CallOptions,
  ): Promise<Pick<PulledImage, 'imageRef' | 'credential'>> {
    // One pull, however many credentials it takes.
    this.deps.limiter.take();
    const request = { image, sandboxConfig };
    if (credentials.length === 0) return { imageRef: (await this.deps.images.pullImage(request, options)).imageRef };
    const failures: unknown[] = [];
    for (const credential of credentials) {
      try {
        const { imageRef } = await this.deps.images.pullImage({ ...request, auth: credential.auth }, options);
        return { imageRef, credential };
      } catch (error) {
        if (options.signal?.aborted === true) throw error;
        failures.push(error);
      }
    }
    const texts = [...new Set(failures.map(pullErrorText))];
    if (texts.length === 1) throw failures[0];
    // Of no code: the texts have their own already.
    throw new KubeletError(`[${texts.join(', ')}]`, { code: 'unknown', cause: failures[0] });
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
