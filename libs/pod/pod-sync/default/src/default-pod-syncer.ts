import {
  CONTAINER_RUNTIME,
  type ContainerRuntime,
  type RuntimePod,
  type RuntimePodStatus,
} from '@podwright/container-runtime-interface';
import { KubeletError } from '@podwright/errors';
import { EVENT_RECORDER, type EventRecorder } from '@podwright/events-interface';
import { podUid, type Pod } from '@podwright/kube-types';
import { RELIST_CONTROL, type RelistControl } from '@podwright/pleg-interface';
import {
  syncErrorOf,
  type PodSyncer,
  type SyncPodContext,
  type SyncTerminatingContext,
} from '@podwright/pod-sync-interface';
import { POD_LIFECYCLE, POD_WORK_QUEUE, type PodLifecycle, type PodWorkQueue } from '@podwright/pod-workers-interface';
import { PROBE_MANAGER, type ProbeManager } from '@podwright/probe-interface';
import { STATUS_MANAGER, type StatusManager } from '@podwright/status-interface';
import { TRACER, type SpanAttributes, type Tracer } from '@podwright/tracing-interface';
import { inject, injectable } from 'tsyringe';
import { PodPrerequisites } from './pod-prerequisites.js';
import { PodStatuses } from './pod-statuses.js';
import { ResizeProgress } from './resize-progress.js';
import { runtimePodOf } from './running-pod.js';
import { withSandboxReady } from './sandbox-ready.js';

/** {@link PodSyncer} in upstream's order of steps (kubernetes v1.36 pkg/kubelet/kubelet.go). */
@injectable()
export class DefaultPodSyncer implements PodSyncer {
  constructor(
    @inject(CONTAINER_RUNTIME) private readonly runtime: ContainerRuntime,
    @inject(PodPrerequisites) private readonly prerequisites: PodPrerequisites,
    @inject(PodStatuses) private readonly podStatuses: PodStatuses,
    @inject(ResizeProgress) private readonly resizes: Pick<ResizeProgress, 'look' | 'note'>,
    @inject(STATUS_MANAGER) private readonly statuses: StatusManager,
    @inject(PROBE_MANAGER) private readonly probes: ProbeManager,
    @inject(RELIST_CONTROL) private readonly relist: RelistControl,
    @inject(POD_LIFECYCLE) private readonly lifecycle: PodLifecycle,
    @inject(POD_WORK_QUEUE) private readonly workQueue: Pick<PodWorkQueue, 'enqueue'>,
    @inject(EVENT_RECORDER) private readonly events: EventRecorder,
    @inject(TRACER, { isOptional: true }) private readonly tracer?: Tracer,
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
    this.resizes.look(pod, status);
    const apiStatus = this.podStatuses.generate(pod, status, false);
    this.statuses.setPodStatus(pod, apiStatus);
    if (apiStatus.phase === 'Succeeded' || apiStatus.phase === 'Failed') return { terminal: true };
    // Nothing else may happen to the pod until then, so the sync that ends it is ordered here.
    const deadlineMs = this.podStatuses.untilDeadlineMs(pod);
    if (deadlineMs !== undefined) this.workQueue.enqueue(uid, deadlineMs);

    const pullSecrets = await this.prerequisites.prepare(pod, status, apiStatus, signal);
    this.probes.addPod(pod);
    signal.throwIfAborted();

    const result = await this.runtime.syncPod({
      pod,
      status: { ...status, ips: (apiStatus.podIPs ?? []).map(({ ip }) => ip) },
      apiStatus,
      pullSecrets,
      isTerminationRequested: () => this.lifecycle.isTerminationRequested(uid),
      signal,
      // The first image may take minutes; that sandbox, volumes and network are there is told before.
      onSandboxReady: () =>
        this.statuses.setPodStatus(pod, withSandboxReady(pod, this.statuses.getPodStatus(uid) ?? apiStatus)),
    });
    this.podStatuses.rememberStarts(uid, result.results);
    // The next look need not wait for the relist period: what this sync did is there to be seen.
    // What a resize changed shows in no list, and the pod may have got a part of it even when it failed.
    const inspect = this.resizes.note(pod, result.results);
    if (result.results.length > 0) this.relist.requestRelist(uid, { inspect });
    const error = syncErrorOf(result);
    if (error !== undefined) throw error;
    // Only RestartAllContainers removes containers in a sync; the next one starts them again.
    if (result.results.some(({ action }) => action === 'RemoveContainer')) this.workQueue.enqueue(uid, 0);
    return { terminal: false };
  }

  private async terminate(context: SyncTerminatingContext): Promise<void> {
    const { pod, status, gracePeriodSeconds, overrideStatus } = context;
    const apiStatus = this.podStatuses.generate(pod, status, false);
    this.statuses.setPodStatus(pod, overrideStatus?.(apiStatus) ?? apiStatus);
    this.probes.stopLivenessAndStartup(pod);

    const result = await this.runtime.killPod({
      pod,
      runningPod: runtimePodOf(status),
      ...(gracePeriodSeconds !== undefined && { gracePeriodSeconds }),
    });
    const error = syncErrorOf(result);
    if (error !== undefined) {
      this.events.event({ kind: 'Pod', pod }, 'Warning', 'FailedKillPod', `error killing pod: ${error.message}`);
      throw error;
    }
    this.probes.removePod(pod);

    const stopped = await this.statusAfterKill(pod, status);
    this.statuses.setPodStatus(pod, this.podStatuses.generate(pod, stopped, true));
  }

  async syncTerminatingRuntimePod(runningPod: RuntimePod): Promise<void> {
    const error = syncErrorOf(await this.runtime.killPod({ runningPod, gracePeriodSeconds: 1 }));
    if (error !== undefined) throw error;
  }

  private async cleanUp(pod: Pod, status: RuntimePodStatus, signal: AbortSignal): Promise<void> {
    this.statuses.setPodStatus(pod, this.podStatuses.generate(pod, status, true));
    await this.prerequisites.release(pod, signal);
    this.podStatuses.forget(podUid(pod));
    this.statuses.terminatePod(pod);
  }

  // Names of spans and attributes: kubernetes v1.36 pkg/kubelet/kubelet.go.
  private traced<T>(name: string, pod: Pod, attributes: SpanAttributes, work: () => Promise<T>): Promise<T> {
    if (this.tracer === undefined) return work();
    const { name: podName = '', namespace = '' } = pod.metadata;
    const own = {
      'k8s.pod.uid': podUid(pod),
      'k8s.pod': `${namespace}/${podName}`,
      'k8s.pod.name': podName,
      'k8s.namespace.name': namespace,
    };
    return this.tracer.trace(name, { attributes: { ...own, ...attributes } }, work);
  }

  // Asked anew, not taken from the cache: only the runtime can say that nothing runs any more.
  private async statusAfterKill(pod: Pod, before: RuntimePodStatus): Promise<RuntimePodStatus> {
    const { name = '', namespace = '' } = pod.metadata;
    const stopped = await this.runtime.getPodStatus({ uid: podUid(pod), name, namespace });
    const running = stopped.containers.filter(({ state }) => state === 'running').map(({ id }) => id);
    if (running.length > 0) {
      const message = `detected running containers after a successful KillPod, CRI violation: [${running.join(' ')}]`;
      throw new KubeletError(message, { code: 'internal' });
    }
    // The sandbox that had the addresses is gone; the last status still shows them.
    return { ...stopped, ips: before.ips };
  }
}
