import { Gate } from '@podwright/concurrency';
import type {
  CallOptions,
  DeepPartial,
  ImageService,
  ImageSpec,
  PodSandboxConfig,
} from '@podwright/cri-client-interface';
import { KubeletError } from '@podwright/errors';
import type { Logger } from '@podwright/logging';
import type { Clock } from '@podwright/time';
import type { RegistryCredentials } from './credentials/docker-config.js';
import { pullErrorText } from './pull-error.js';
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

  /**
   * With each of the credentials until one works, without any when there are none. Rejects with the runtime's error, or
   * those of all tries; `signal` ends the waiting and the pull.
   */
  async pull(
    image: DeepPartial<ImageSpec>,
    sandboxConfig: DeepPartial<PodSandboxConfig>,
    credentials: readonly RegistryCredentials[],
    signal?: AbortSignal,
  ): Promise<PulledImage> {
    const options: CallOptions = signal === undefined ? {} : { signal };
    const leave = await this.gate?.enter(options);
    try {
      const startedAtMs = this.deps.clock.monotonic();
      const imageRef = await this.pullWith(credentials, { image, sandboxConfig }, options);
      const pullMs = this.deps.clock.monotonic() - startedAtMs;
      return { imageRef, pullMs, sizeBytes: await this.sizeOf(image, options) };
    } finally {
      leave?.();
    }
  }

  private async pullWith(
    credentials: readonly RegistryCredentials[],
    request: { readonly image: DeepPartial<ImageSpec>; readonly sandboxConfig: DeepPartial<PodSandboxConfig> },
    options: CallOptions,
  ): Promise<string> {
    // One pull, however many credentials it takes.
    this.deps.limiter.take();
    const failures: unknown[] = [];
    for (const auth of credentials.length === 0 ? [undefined] : credentials) {
      try {
        const given = auth === undefined ? request : { ...request, auth };
        return (await this.deps.images.pullImage(given, options)).imageRef;
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
