import type { PodSyncResult, RuntimePod, RuntimePodStatus } from '@podwright/container-runtime-interface';
import { KubeletError } from '@podwright/errors';
import { isTerminalPhase, podUid, type Pod, type PodStatus, type Secret } from '@podwright/kube-types';
import {
  syncErrorOf,
  type PodSyncer,
  type SyncPodContext,
  type SyncTerminatingContext,
} from '@podwright/pod-sync-interface';
import type { SpanAttributes } from '@podwright/tracing-interface';
import type { PodPrerequisites } from './pod-prerequisites.js';
import type { PodStatuses } from './pod-statuses.js';
import type { PodSyncNeeds } from './pod-sync-needs.js';
import type { ResizeProgress } from './resize-progress.js';
import { runtimePodOf } from './running-pod.js';
import { sandboxObstacleOf, withObstacle, type SandboxObstacle } from './sandbox-obstacle.js';
import { withSandboxReady } from './sandbox-ready.js';
import { isVolumeLimit, rejectForVolumeLimit } from './volume-limit.js';

/** {@link PodSyncer} in upstream's order of steps (kubernetes v1.36 pkg/kubelet/kubelet.go). */
export class DefaultPodSyncer implements PodSyncer {
  constructor(
    private readonly deps: PodSyncNeeds & {
      readonly resizes: Pick<ResizeProgress, 'observe' | 'note'>;
      readonly prerequisites: PodPrerequisites;
      readonly podStatuses: PodStatuses;
    },
  ) {}

  syncPod(context: SyncPodContext, signal: AbortSignal): Promise<{ readonly terminal: boolean }> {
    const { pod, updateType } = context;
    const work = (): Promise<{ readonly terminal: boolean }> => this.sync(context, signal);
    return this.traced('syncPod', pod, { 'k8s.pod.update_type': updateType }, work);
  }

  syncTerminatingPod(context: SyncTerminatingContext): Promise<void> {
    return this.traced('syncTerminatingPod', context.pod, {}, () => this.terminate(context));
  }

  syncTerminatedPod(pod: Pod, status: RuntimePodStatus, signal: AbortSignal): Promise<void> {
    return this.traced('syncTerminatedPod', pod, {}, () => this.cleanUp(pod, status, signal));
  }

  private async sync({ pod, status }: SyncPodContext, signal: AbortSignal): Promise<{ readonly terminal: boolean }> {
    const uid = podUid(pod);
    this.deps.resizes.observe(pod, status);
    const apiStatus = await this.deps.podStatuses.generate(pod, status, false);
    this.deps.statuses.setPodStatus(pod, apiStatus);
    if (isTerminalPhase(apiStatus.phase)) return { terminal: true };
    // Nothing else may trigger a sync until the deadline, so schedule the sync that terminates the pod.
    const deadlineMs = this.deps.podStatuses.untilDeadlineMs(pod);
    if (deadlineMs !== undefined) this.deps.workQueue.enqueue(uid, deadlineMs);

    const prepare = (): Promise<readonly Secret[] | undefined> => this.prepare(pod, status, apiStatus, signal);
    const pullSecrets = await (status.sandboxes.length > 0 ? prepare() : this.inTurn(pod, signal, prepare));
    if (pullSecrets === undefined) return { terminal: true };
    this.deps.probes.addPod(pod);
    signal.throwIfAborted();

    const result = await this.deps.runtime.syncPod({
      pod,
      status: { ...status, ips: (apiStatus.podIPs ?? []).map(({ ip }) => ip) },
      apiStatus,
      pullSecrets,
      isTerminationRequested: () => this.deps.lifecycle.isTerminationRequested(uid),
      signal,
      // The first image may take minutes; report before that sandbox, volumes and network are ready.
      ...(this.deps.podStatuses.showsReadyToStart && {
        onSandboxReady: () => {
          const shown = this.deps.statuses.getPodStatus(uid) ?? apiStatus;
          this.deps.statuses.setPodStatus(pod, withSandboxReady(pod, shown));
        },
      }),
    });
    this.deps.podStatuses.rememberStarts(uid, result.results);
    this.deps.podStatuses.rememberObstacle(uid, sandboxObstacleOf(result.results));
    // Relist now: what this sync did is already visible. A resize shows in no list, and the pod may have got part of it
    // even when it failed.
    const inspect = this.deps.resizes.note(pod, result.results);
    if (result.results.length > 0) this.deps.relist.requestRelist(uid, { inspect });
    const error = syncErrorOf(result);
    if (error !== undefined) throw error;
    // Only RestartAllContainers removes containers in a sync; the next sync starts them again.
    if (result.results.some(({ action }) => action === 'RemoveContainer')) this.deps.workQueue.enqueue(uid, 0);
    return { terminal: false };
  }

  /** Prepares a new pod when it is near its start. */
  private async inTurn<T>(pod: Pod, signal: AbortSignal, prepare: () => Promise<T>): Promise<T> {
    const end = await this.deps.runtime.awaitTurn?.(pod, signal);
    try {
      signal.throwIfAborted();
      return await prepare();
    } finally {
      end?.();
    }
  }

  /** Undefined when the pod was rejected. */
  private async prepare(
    pod: Pod,
    status: RuntimePodStatus,
    apiStatus: PodStatus,
    signal: AbortSignal,
  ): Promise<readonly Secret[] | undefined> {
    const uid = podUid(pod);
    let found: SandboxObstacle | undefined;
    // Nothing else changes the status of a pod while it waits, which may take minutes.
    const onObstacle = (obstacle: SandboxObstacle): void => {
      found = obstacle;
      this.deps.podStatuses.rememberObstacle(uid, obstacle);
      this.deps.statuses.setPodStatus(pod, withObstacle(this.deps.statuses.getPodStatus(uid) ?? apiStatus, obstacle));
    };
    try {
      return await this.deps.prerequisites.prepare(pod, { status, apiStatus, onObstacle }, signal);
    } catch (error) {
      this.deps.podStatuses.rememberObstacle(uid, found);
      if (!isVolumeLimit(error)) throw error;
      rejectForVolumeLimit(this.deps, pod, error);
      return undefined;
    }
  }

  private async terminate(context: SyncTerminatingContext): Promise<void> {
    const { pod, status, gracePeriodSeconds, overrideStatus } = context;
    const apiStatus = await this.deps.podStatuses.generate(pod, status, false);
    this.deps.statuses.setPodStatus(pod, overrideStatus?.(apiStatus) ?? apiStatus);
    this.deps.probes.stopLivenessAndStartup(pod);

    const result = await this.deps.runtime.killPod({
      pod,
      runningPod: runtimePodOf(status),
      ...(gracePeriodSeconds !== undefined && { gracePeriodSeconds }),
    });
    this.demandKilled(pod, result);
    this.deps.probes.removePod(pod);

    const stopped = await this.statusAfterKill(pod, status);
    // After the containers have stopped, and before the API server shows the end: others then give the devices away.
    await this.deps.claims?.unprepare(pod);
    this.deps.statuses.setPodStatus(pod, await this.deps.podStatuses.generate(pod, stopped, true));
  }

  async syncTerminatingRuntimePod(runningPod: RuntimePod): Promise<void> {
    const { uid, name, namespace } = runningPod;
    const result = await this.deps.runtime.killPod({ runningPod, gracePeriodSeconds: 1 });
    this.demandKilled({ metadata: { uid, name, namespace }, spec: { containers: [] } }, result);
  }

  private demandKilled(pod: Pod, result: PodSyncResult): void {
    const error = syncErrorOf(result);
    if (error === undefined) return;
    this.deps.events.event({ kind: 'Pod', pod }, 'Warning', 'FailedKillPod', `error killing pod: ${error.message}`);
    throw error;
  }

  private async cleanUp(pod: Pod, status: RuntimePodStatus, signal: AbortSignal): Promise<void> {
    this.deps.statuses.setPodStatus(pod, await this.deps.podStatuses.generate(pod, status, true));
    await this.deps.prerequisites.release(pod, signal);
    this.deps.podStatuses.forget(podUid(pod));
    this.deps.statuses.terminatePod(pod);
  }

  // Names of spans and attributes: kubernetes v1.36 pkg/kubelet/kubelet.go.
  private traced<T>(name: string, pod: Pod, attributes: SpanAttributes, work: () => Promise<T>): Promise<T> {
    if (this.deps.tracer === undefined) return work();
    const { name: podName = '', namespace = '' } = pod.metadata;
    const own = {
      'k8s.pod.uid': podUid(pod),
      'k8s.pod': `${namespace}/${podName}`,
      'k8s.pod.name': podName,
      'k8s.namespace.name': namespace,
    };
    return this.deps.tracer.trace(name, { attributes: { ...own, ...attributes } }, work);
  }

  // Ask the runtime, not the cache: only the runtime knows that nothing runs any more.
  private async statusAfterKill(pod: Pod, before: RuntimePodStatus): Promise<RuntimePodStatus> {
    const { name = '', namespace = '' } = pod.metadata;
    const stopped = await this.deps.runtime.getPodStatus({ uid: podUid(pod), name, namespace });
    const running = stopped.containers.filter(({ state }) => state === 'running').map(({ id }) => id);
    if (running.length > 0) {
      const message = `detected running containers after a successful KillPod, CRI violation: [${running.join(' ')}]`;
      throw new KubeletError(message, { code: 'internal' });
    }
    // The sandbox with the addresses is gone; the last status still shows them.
    return { ...stopped, ips: before.ips };
  }
}
