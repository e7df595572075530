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
import type { PullTracker } from './pulls-in-progress.js';

export interface PulledImage {
  readonly imageRef: string;
  /** 0n when the runtime does not report it. */
  readonly sizeBytes: bigint;
  /** Duration without the wait for other pulls, in milliseconds. */
  readonly pullMs: number;
  /** The credential that worked; absent for an anonymous pull. */
  readonly credential?: TrackedCredential;
}

export interface PullRequest {
  readonly image: DeepPartial<ImageSpec>;
  readonly sandboxConfig: DeepPartial<PodSandboxConfig>;
  /** In the order of the attempts; empty for an anonymous pull. */
  readonly credentials: readonly TrackedCredential[];
  readonly tracker: PullTracker;
  /** Cancels the wait and the pull. */
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

  /** `parallelPulls` 0 = no limit. */
  constructor(
    private readonly deps: ImagePullerDeps,
    parallelPulls: number,
  ) {
    this.gate = parallelPulls === 0 ? undefined : new Gate({ places: parallelPulls });
  }

  /**
   * Tries each credential until one works; without credentials the pull is anonymous. Rejects with the runtime's error,
   * or with those of all attempts.
   */
  async pull(request: PullRequest): Promise<PulledImage> {
    const { signal, tracker, image } = request;
    const options: CallOptions = signal === undefined ? {} : { signal };
    const leave = await this.gate?.enter(options);
    try {
      tracker.pulling();
      const startedAtMs = this.deps.clock.monotonic();
      const pulled = await this.pullWithEach(request, options);
      // As upstream: the duration includes the call for the size.
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
    // One token per pull, however many credentials it tries.
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
    // Without a code of its own: the texts already contain the codes.
    throw new KubeletError(`[${texts.join(', ')}]`, { code: 'unknown', cause: failures[0] });
  }

  /** Only an event and a metric need the size, so a failure to read it does not fail the pull. */
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
