import { CLOCK, LOGGER, METRICS, needs, optional, pick, type Needs } from '@podwright/assembly-interface';
import { IMAGE_SERVICE } from '@podwright/cri-client-interface';
import type { DeepPartial, ImageSpec } from '@podwright/cri-client-interface';
import { KubeletError, messageOf, rpcErrorText } from '@podwright/errors';
import { EVENT_RECORDER } from '@podwright/events-interface';
import type { EventType } from '@podwright/events-interface';
import { IMAGE_CREDENTIALS } from '@podwright/image-credentials-interface';
import type { TrackedCredential } from '@podwright/image-credentials-interface';
import type { EnsureImageRequest, ImageManager, ImagePullProgress, PullInProgress } from '@podwright/image-interface';
import { IMAGE_PULL_RECORDS } from '@podwright/image-pull-records-interface';
import { JOURNAL, journalPod, type ImagePull } from '@podwright/journal-interface';
import { podUid } from '@podwright/kube-types';
import type { Logger } from '@podwright/logging';
import type { Histogram } from '@podwright/metrics';
import { POD_CHECKPOINTS } from '@podwright/pod-checkpoint-interface';
import { POD_START_OBSERVER } from '@podwright/status-interface';
import { formatGoDuration } from '@podwright/time';
import type { PullingImageManagerConfig } from './pulling-image-manager-config.js';
import { ensureImageRequestCounter, type EnsuredImage } from './ensure-image-requests.js';
import { withDefaultTag } from './default-tag.js';
import { ImagePuller, type PulledImage } from './image-puller.js';
import { imageSizeBucket } from './image-size-bucket.js';
import { classifyPullError, pullErrorText } from './pull-error.js';
import { PullBackOff } from './pull-back-off.js';
import { PullLimiter } from './pull-limiter.js';
import { PullsInProgress } from './pulls-in-progress.js';

const pullDurationBuckets = [1, 5, 10, 20, 30, 60, 120, 180, 240, 300, 360, 480, 600, 900, 1200, 1800, 2700, 3600];

/** Looks up the credentials of one request on the first call and returns the same result later. */
type Credentials = () => Promise<readonly TrackedCredential[]>;

export const pullingImageManagerNeeds = needs({
  images: IMAGE_SERVICE,
  events: EVENT_RECORDER,
  credentials: pick(IMAGE_CREDENTIALS, 'lookup'),
  checkpoints: POD_CHECKPOINTS,
  clock: CLOCK,
  logger: LOGGER,
  metrics: METRICS,
  /** Absent: pod start times are not measured. */
  starts: optional(POD_START_OBSERVER),
  /** Absent: every pod may use an image that is on the node. */
  records: optional(IMAGE_PULL_RECORDS),
  journal: optional(JOURNAL),
});

/** {@link ImageManager} that follows the pull policy, pulls a few images at a time, and backs off per pod and image. */
export class PullingImageManager implements ImageManager, ImagePullProgress {
  private readonly logger: Logger;
  private readonly backOff: PullBackOff;
  private readonly puller: ImagePuller;
  private readonly inProgress: PullsInProgress;
  private readonly pullDuration: Histogram;
  private readonly countRequest: ReturnType<typeof ensureImageRequestCounter>;

  constructor(
    private readonly deps: Needs<typeof pullingImageManagerNeeds>,
    config: PullingImageManagerConfig,
  ) {
    const { images, checkpoints, clock, logger, metrics } = deps;
    this.logger = logger.with({ logger: 'image' });
    const { pullBackOffInitialMs: initialMs, pullBackOffMaxMs: maxMs } = config;
    this.backOff = new PullBackOff({ clock, checkpoints, initialMs, maxMs });
    const limiter = new PullLimiter(clock, config.registryPullQps, config.registryBurst);
    this.puller = new ImagePuller({ images, clock, logger: this.logger, limiter }, config.parallelPulls);
    this.inProgress = new PullsInProgress(clock, this.logger);
    this.countRequest = ensureImageRequestCounter(metrics);
    this.pullDuration = metrics.histogram({
      name: 'kubelet_image_pull_duration_seconds',
      help: 'Duration in seconds to pull an image.',
      labels: ['image_size_in_bytes'],
      buckets: pullDurationBuckets,
    });
  }

  async ensureImageExists(request: EnsureImageRequest): Promise<{ readonly imageRef: string }> {
    const known: EnsuredImage = {};
    try {
      return await this.ensure(request, known);
    } finally {
      this.countRequest(request, known);
    }
  }

  pulls(): readonly PullInProgress[] {
    return this.inProgress.list();
  }

  private async ensure(request: EnsureImageRequest, known: EnsuredImage): Promise<{ readonly imageRef: string }> {
    const spec = this.specFor(request);
    const credentials = this.credentialsFor(request);
    if (request.pullPolicy !== 'Always') {
      const present = await this.find(request, spec);
      known.presentLocally = present !== '';
      if (present !== '' && (await this.mayUse(request, present, credentials))) {
        known.pullRequired = false;
        // Another pod's pull may have ended while this pod waited.
        this.deps.starts?.imagePullFinished(podUid(request.pod));
        const checked = this.deps.records === undefined ? '' : ' and can be accessed by the pod';
        const message = `Container image ${quote(request.image)} already present on machine${checked}`;
        this.tell(request, 'Normal', 'Pulled', message);
        this.journalize(request, { state: 'present' });
        return { imageRef: present };
      }
      known.pullRequired = present === '' ? undefined : true;
      if (request.pullPolicy === 'Never') {
        // Same text for an image that only other pods may use, so that the pod does not learn that it exists.
        const message = `Container image ${quote(request.image)} is not present with pull policy of Never`;
        this.tell(request, 'Warning', 'ErrImageNeverPull', message);
        this.journalize(request, { state: 'never' });
        throw new KubeletError(message, { code: 'not-found', reason: 'ErrImageNeverPull' });
      }
    }
    known.pullRequired = true;
    return this.framedPull(request, spec, await credentials());
  }

  /** Rejects with the error's text as the container's waiting reason, as upstream. */
  private credentialsFor({ image, pod, pullSecrets, signal }: EnsureImageRequest): Credentials {
    let found: Promise<readonly TrackedCredential[]> | undefined;
    const lookup = (): Promise<readonly TrackedCredential[]> =>
      this.deps.credentials
        .lookup({ image, pod, pullSecrets, ...(signal !== undefined && { signal }) })
        .catch((error: unknown) => Promise.reject(withTextAsReason(error)));
    return () => (found ??= lookup());
  }

  private async mayUse(request: EnsureImageRequest, imageRef: string, credentials: Credentials): Promise<boolean> {
    if (this.deps.records === undefined) return true;
    return !(await this.deps.records.mustAttemptPull(request.image, imageRef, credentials));
  }

  private specFor(request: EnsureImageRequest): DeepPartial<ImageSpec> {
    try {
      const { runtimeHandler = '' } = request;
      return {
        image: withDefaultTag(request.image),
        annotations: request.pod.metadata.annotations ?? {},
        ...(runtimeHandler !== '' && { runtimeHandler }),
      };
    } catch (error) {
      const message = `Failed to apply default image tag ${quote(request.image)}: ${KubeletError.from(error).message}`;
      this.tell(request, 'Warning', 'InspectFailed', message);
      throw new KubeletError(message, { code: 'invalid-argument', reason: 'InvalidImageName', cause: error });
    }
  }

  /** Id of the image; empty when the runtime does not have it. */
  private async find(request: EnsureImageRequest, image: DeepPartial<ImageSpec>): Promise<string> {
    try {
      const { image: found } = await this.deps.images.imageStatus({ image }, signalOf(request));
      return found?.id ?? '';
    } catch (error) {
      // The name in the text is empty, as upstream's: it prints the reference that it did not get.
      const message = `Failed to inspect image "": ${rpcErrorText(error)}`;
      // A question that was cancelled, because the pod is deleted or the kubelet stops, is no failure.
      if (request.signal?.aborted !== true) this.tell(request, 'Warning', 'InspectFailed', message);
      const { code } = KubeletError.from(error);
      throw new KubeletError(message, { code, reason: 'ImageInspectError', cause: error });
    }
  }

  /** Writes the intent before the pull and the result after it. */
  private async framedPull(
    request: EnsureImageRequest,
    spec: DeepPartial<ImageSpec>,
    credentials: readonly TrackedCredential[],
  ): Promise<{ readonly imageRef: string }> {
    await this.deps.records?.recordPullIntent(request.image).catch((error: unknown) => {
      const message = `Failed to record image pull intent for container image ${quote(request.image)}: ${messageOf(error)}`;
      throw new KubeletError(message, { code: 'internal', reason: messageOf(error), cause: error });
    });
    let pulled: PulledImage | undefined;
    try {
      pulled = await this.pull(request, spec, credentials);
      return { imageRef: pulled.imageRef };
    } finally {
      if (pulled === undefined) await this.deps.records?.recordPullFailed(request.image);
      else await this.deps.records?.recordPulled(request.image, pulled.imageRef, pulled.credential);
    }
  }

  private async pull(
    request: EnsureImageRequest,
    image: DeepPartial<ImageSpec>,
    credentials: readonly TrackedCredential[],
  ): Promise<PulledImage> {
    this.refuseInBackOff(request);
    const { pod, sandboxConfig } = request;
    this.backOff.begin(podUid(pod), request.image);
    this.deps.starts?.imagePullStarted(podUid(pod));
    this.tell(request, 'Normal', 'Pulling', `Pulling image ${quote(request.image)}`);
    const startedAtMs = this.deps.clock.monotonic();
    const tracker = this.inProgress.begin(pod, request.image);
    this.journalize(request, { state: 'queued' });
    const pulling = (): void => {
      tracker.pulling();
      this.journalize(request, { state: 'pulling' });
    };
    const tracked = { ...tracker, pulling };
    try {
      const pulled = await this.puller.pull({
        image,
        sandboxConfig,
        credentials,
        tracker: tracked,
        ...signalOf(request),
      });
      this.pulled(request, pulled, this.deps.clock.monotonic() - startedAtMs);
      return pulled;
    } catch (error) {
      throw await this.pullFailed(request, error, this.deps.clock.monotonic() - startedAtMs);
    } finally {
      tracker.ended();
    }
  }

  private pulled(request: EnsureImageRequest, { sizeBytes, pullMs }: PulledImage, totalMs: number): void {
    this.deps.starts?.imagePullFinished(podUid(request.pod));
    const took = `${wholeMs(pullMs)} (${wholeMs(totalMs)} including waiting)`;
    const message = `Successfully pulled image ${quote(request.image)} in ${took}. Image size: ${sizeBytes} bytes.`;
    this.tell(request, 'Normal', 'Pulled', message);
    this.journalize(request, { state: 'pulled', durationMs: totalMs, pullMs, sizeBytes: Number(sizeBytes) });
    // Includes the wait, as upstream.
    this.pullDuration.observe(Math.trunc(totalMs) / 1000, { image_size_in_bytes: imageSizeBucket(sizeBytes) });
    this.backOff.collect();
  }

  private refuseInBackOff(request: EnsureImageRequest): void {
    const uid = podUid(request.pod);
    if (!this.backOff.isWaiting(uid, request.image)) return;
    const message = `Back-off pulling image ${quote(request.image)}`;
    this.tell(request, 'Normal', 'BackOff', message);
    const previous = this.backOff.lastFailure(uid, request.image);
    const full = previous === undefined ? message : `${message}: ${previous}`;
    throw new KubeletError(full, { code: 'unavailable', reason: 'ImagePullBackOff' });
  }

  private async pullFailed(request: EnsureImageRequest, error: unknown, durationMs: number): Promise<KubeletError> {
    const text = pullErrorText(error);
    // The pull was cancelled: the pod is deleted or the kubelet stops. No back-off, so that the next kubelet can pull
    // at once.
    if (request.signal?.aborted === true) {
      this.journalize(request, { state: 'cancelled', durationMs });
      return new KubeletError(text, { code: 'cancelled', reason: 'ErrImagePull', cause: error });
    }
    this.tell(request, 'Warning', 'Failed', `Failed to pull image ${quote(request.image)}: ${text}`);
    const { reason, message } = classifyPullError(request.image, text);
    const written = this.backOff.fail(podUid(request.pod), request.image, `${reason}: ${message}`);
    const backOffUntilMs = this.backOff.untilMs(podUid(request.pod), request.image);
    const until = backOffUntilMs !== undefined && { backOffUntilMs };
    this.journalize(request, { state: 'failed', durationMs, reason, error: message, ...until });
    await written;
    return new KubeletError(message, { code: KubeletError.from(error).code, reason, cause: error });
  }

  private journalize({ pod, image }: EnsureImageRequest, pull: Omit<ImagePull, 'kind' | 'pod' | 'image'>): void {
    this.deps.journal?.report({ kind: 'image.pull', pod: journalPod(pod), image, ...pull });
  }

  private tell(request: EnsureImageRequest, type: EventType, reason: string, message: string): void {
    this.deps.events.event(request.eventObject, type, reason, message);
  }
}

/** Quotes as Go's %q does for printable text. */
function quote(text: string): string {
  return JSON.stringify(text);
}

function withTextAsReason(error: unknown): KubeletError {
  const { code } = KubeletError.from(error);
  return new KubeletError(messageOf(error), { code, reason: messageOf(error), cause: error });
}

function wholeMs(ms: number): string {
  return formatGoDuration(Math.trunc(ms));
}

function signalOf({ signal }: EnsureImageRequest): { readonly signal?: AbortSignal } {
  return signal === undefined ? {} : { signal };
}
