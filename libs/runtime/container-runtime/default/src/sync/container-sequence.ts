import type { RuntimePodStatus, SyncPodRequest, SyncResult } from '@podwright/container-runtime-interface';
import { messageOf } from '@podwright/errors';
import { journalPod } from '@podwright/journal-interface';
import type { Container, EphemeralContainer, Pod } from '@podwright/kube-types';
import { isSidecar, podRef } from '@podwright/kube-types';
import type { PodActions } from '../actions/pod-actions.js';
import { recordContainerEvent } from '../pod-records/event-target.js';
import type { ContainerRuntimeNeeds } from '../container-runtime-needs.js';
import type { ContainerStarter, ImageAnswer } from './container-starter.js';
import type { CrashLoopBackOff } from './crash-loop-back-off.js';
import type { ImageVolumes } from './image-volumes.js';
import { imagesOf, pullImageVolumes } from './image-volumes.js';
import type { PostStartHook } from './post-start-hook.js';
import type { StartContext } from './start-context.js';
import { RestartJournal } from './restart-journal.js';
import { reasonOf, retryOf, startError } from './start-error.js';
import type { StartMetrics } from './start-metrics.js';

type ContainerType = 'container' | 'init_container' | 'ephemeral_container';

export type SequenceContext = Omit<StartContext, 'imageVolumes'> &
  Pick<SyncPodRequest, 'isTerminationRequested'> & {
    /** Early request for the image of the first container. */
    readonly firstImage?: ImageAnswer | undefined;
    /**
     * Resizes running containers; called after the init containers, so that regular containers only start once there is
     * room.
     */
    readonly resize: () => Promise<void>;
  };

/** Parts of a {@link ContainerSequence}. */
export interface SequenceParts {
  readonly starter: ContainerStarter;
  readonly backOff: CrashLoopBackOff;
  readonly metrics: StartMetrics;
  readonly postStart: PostStartHook;
}

/** Starts the containers of one sync in order: ephemeral, init, regular. Adds a result for each; never rejects. */
export class ContainerSequence {
  private readonly restarts: RestartJournal;

  constructor(
    private readonly deps: ContainerRuntimeNeeds,
    private readonly parts: SequenceParts,
  ) {
    this.restarts = new RestartJournal(deps.journal);
  }

  async start(context: SequenceContext, actions: PodActions, results: SyncResult[]): Promise<void> {
    const { spec } = context.pod;
    let { firstImage } = context;
    const imageVolumes = await this.pullImageVolumes(context);
    const startOne = async (container: Container | EphemeralContainer, type: ContainerType): Promise<boolean> => {
      const image = firstImage;
      firstImage = undefined;
      return this.startOne({ ...context, imageVolumes, firstImage: image }, container, type, results);
    };
    for (const container of picked(spec.ephemeralContainers, actions.ephemeralContainersToStart)) {
      await startOne(container, 'ephemeral_container');
    }
    for (const [index, container] of (spec.initContainers ?? []).entries()) {
      if (!actions.initContainersToStart.includes(index)) {
        await this.finishStart(context, container, results);
        continue;
      }
      const started = await startOne(container, 'init_container');
      // Only a plain init container blocks those after it.
      if (!started && !isSidecar(container)) return;
    }
    await context.resize();
    for (const [index, container] of spec.containers.entries()) {
      if (actions.containersToStart.includes(index)) await startOne(container, 'container');
      else await this.finishStart(context, container, results);
    }
  }

  /** True when a running container has a postStart hook that an earlier kubelet process did not finish. */
  hasUnfinishedStart(pod: Pod, status: RuntimePodStatus): boolean {
    const containers = [...(pod.spec.initContainers ?? []), ...pod.spec.containers];
    return containers.some((container) => this.parts.postStart.unfinished(pod, container, status) !== undefined);
  }

  /** Runs the unfinished postStart hook of a running container; later containers wait for it, as at the first start. */
  private async finishStart(context: SequenceContext, container: Container, results: SyncResult[]): Promise<void> {
    const { pod, place, status } = context;
    const containerId = this.parts.postStart.unfinished(pod, container, status);
    if (containerId === undefined || context.isTerminationRequested()) return;
    place.giveBack();
    const action = { action: 'StartContainer', target: container.name } as const;
    try {
      await this.parts.postStart.finish(pod, container, containerId);
    } catch (cause) {
      results.push({ ...action, error: { reason: reasonOf(cause), message: messageOf(cause), cause } });
    }
  }

  private async pullImageVolumes(context: SequenceContext): Promise<ImageVolumes> {
    const { pod, place, sandboxConfig, pullSecrets, signal } = context;
    if (!hasImageVolume(pod.spec.volumes)) return new Map();
    place.giveBack();
    return pullImageVolumes(this.deps.images, pod, sandboxConfig, pullSecrets, signal);
  }

  private async startOne(
    context: SequenceContext & StartContext,
    container: Container | EphemeralContainer,
    type: ContainerType,
    results: SyncResult[],
  ): Promise<boolean> {
    const { pod, status } = context;
    if (context.isTerminationRequested()) return false;
    const action = { action: 'StartContainer', target: container.name } as const;
    const wait = await this.parts.backOff.check(pod, container, status);
    this.restarts.decided(pod, container, status, wait);
    if (wait !== undefined) {
      const error = { reason: 'CrashLoopBackOff', message: wait.message };
      results.push({ ...action, error, backOffUntilMs: wait.untilMs });
      return false;
    }
    this.parts.metrics.containers.increment({ container_type: type });
    const hostProcess = asksForHostProcess(pod, container);
    if (hostProcess) this.parts.metrics.hostProcessContainers.increment({ container_type: type });
    try {
      this.failWithoutImageVolumes(context, container);
      await this.parts.starter.start(context, container, context.firstImage).then(
        () => this.countImageVolumes(context, container),
        (error: unknown) => {
          this.countImageVolumes(context, container, error);
          // As upstream, not when the image of a volume is missing: then the start has not begun.
          const labels = { container_type: type, code: reasonOf(error) };
          this.parts.metrics.containerErrors.increment(labels);
          if (hostProcess) this.parts.metrics.hostProcessContainerErrors.increment(labels);
          throw error;
        },
      );
      results.push(action);
      return true;
    } catch (cause) {
      const error = { reason: reasonOf(cause), message: messageOf(cause), cause };
      results.push({ ...action, error, ...retryOf(cause) });
      this.journalFailure(context, container, error);
      const fields = { pod: podRef(pod), container: container.name, reason: error.reason, message: error.message };
      // The image manager has logged it; retries would repeat it.
      if (error.reason === 'ImagePullBackOff') this.deps.logger.debug(3, 'Container start failed in pod', fields);
      else this.deps.logger.error('Container start failed in pod', fields);
      return false;
    }
  }

  // The pull that failed is an entry, and says until when syncs wait for it.
  private journalFailure(
    { pod }: SequenceContext,
    container: Container,
    error: { reason: string; message: string },
  ): void {
    if (error.reason === 'ImagePullBackOff') return;
    const { reason, message } = error;
    const of = { pod: journalPod(pod), container: container.name };
    this.deps.journal?.report({ kind: 'container.failed', ...of, reason, error: message });
  }

  private failWithoutImageVolumes({ pod, imageVolumes }: StartContext, container: Container): void {
    const { errors } = imagesOf(container, imageVolumes);
    for (const error of errors) {
      const message = `Error: ${reasonOf(error)}`;
      recordContainerEvent(this.deps.recorder, { pod, container, type: 'Warning', reason: 'Failed', message });
    }
    const last = errors.at(-1);
    if (last !== undefined) throw startError(reasonOf(last), last);
  }

  private countImageVolumes({ imageVolumes }: StartContext, container: Container, error?: unknown): void {
    const { mounted } = imagesOf(container, imageVolumes);
    if (mounted.length === 0) return;
    // As upstream: requested once for each volume, mounted once for each mount.
    this.parts.metrics.imageVolumesRequested.increment({}, new Set(mounted).size);
    const failed =
      error !== undefined &&
      reasonOf(error) === 'CreateContainerError' &&
      messageOf(error).startsWith('ImageVolumeMountFailed');
    (failed ? this.parts.metrics.imageVolumeErrors : this.parts.metrics.imageVolumesMounted).increment(
      {},
      mounted.length,
    );
  }
}

export function hasImageVolume(volumes: readonly { readonly image?: unknown }[] = []): boolean {
  return volumes.some(({ image }) => image !== undefined);
}

function picked<T>(list: readonly T[] | undefined, indexes: readonly number[]): readonly T[] {
  return indexes.flatMap((index) => list?.[index] ?? []);
}

/** Source: kubernetes v1.36 pkg/securitycontext/util.go HasWindowsHostProcessRequest. */
function asksForHostProcess(pod: Pod, container: Container | EphemeralContainer): boolean {
  const own = container.securityContext?.windowsOptions?.hostProcess;
  return own ?? pod.spec.securityContext?.windowsOptions?.hostProcess ?? false;
}
