import { CLOCK, LOGGER } from '@podwright/assembly-interface';
import { CGROUP_MANAGER, type CgroupManager } from '@podwright/cgroup-interface';
import { CONFIGMAP_MANAGER, type ConfigMapManager } from '@podwright/configmap-interface';
import { CONTAINER_RUNTIME, RUNTIME_STATE, type ContainerRuntime, type RuntimePod, type RuntimePodStatus, type RuntimeState } from '@podwright/container-runtime-interface';
import { RUNTIME_CONNECTION, type RuntimeConnection } from '@podwright/cri-client-interface';
import { KubeletError, hasCode, messageOf } from '@podwright/errors';
import { EVENT_RECORDER, type EventRecorder } from '@podwright/events-interface';
import { podRef, podUid, type Pod, type PodStatus, type Secret } from '@podwright/kube-types';
import type { Logger } from '@podwright/logging';
import { RELIST_CONTROL, type RelistControl } from '@podwright/pleg-interface';
import { syncErrorOf, type PodSyncer, type SyncPodContext, type SyncTerminatingContext } from '@podwright/pod-sync-interface';
import { POD_LIFECYCLE, POD_WORK_QUEUE, type PodLifecycle, type PodWorkQueue } from '@podwright/pod-workers-interface';
import { PROBE_MANAGER, type ProbeManager } from '@podwright/probe-interface';
import { SECRET_MANAGER, type SecretManager } from '@podwright/secret-interface';
import { STATUS_MANAGER, type StatusManager } from '@podwright/status-interface';
import type { Clock } from '@podwright/time';
import { VOLUME_MANAGER, type VolumeManager } from '@podwright/volume-interface';
import { inject, injectable } from 'tsyringe';
import { generateApiStatus } from './api-status/generate-api-status.js';
import { makePodDirectories } from './pod-directories.js';
import { POD_SYNC_CONFIG, type PodSyncConfig } from './pod-sync-config.js';
import { ReasonCache } from './reason-cache.js';
import { runtimePodOf } from './running-pod.js';

/** {@link PodSyncer} in upstream's order of steps (kubernetes v1.36 pkg/kubelet/kubelet.go). */
@injectable()
export class DefaultPodSyncer implements PodSyncer {
  private readonly reasons = new ReasonCache();

  constructor(
    @inject(CONTAINER_RUNTIME) private readonly runtime: ContainerRuntime,
    @inject(RUNTIME_CONNECTION) private readonly connection: RuntimeConnection,
    @inject(RUNTIME_STATE) private readonly runtimeState: RuntimeState,
    @inject(RELIST_CONTROL) private readonly relist: RelistControl,
    @inject(STATUS_MANAGER) private readonly statuses: StatusManager,
    @inject(PROBE_MANAGER) private readonly probes: ProbeManager,
    @inject(VOLUME_MANAGER) private readonly volumes: VolumeManager,
    @inject(CGROUP_MANAGER) private readonly cgroups: CgroupManager,
    @inject(SECRET_MANAGER) private readonly secrets: SecretManager,
    @inject(CONFIGMAP_MANAGER) private readonly configMaps: ConfigMapManager,
    @inject(POD_LIFECYCLE) private readonly lifecycle: PodLifecycle,
    @inject(POD_WORK_QUEUE) private readonly workQueue: PodWorkQueue,
    @inject(EVENT_RECORDER) private readonly events: EventRecorder,
    @inject(CLOCK) private readonly clock: Clock,
    @inject(LOGGER) private readonly logger: Logger,
    @inject(POD_SYNC_CONFIG) private readonly config: PodSyncConfig,
  ) {}

  async syncPod({ pod, status }: SyncPodContext, signal: AbortSignal): Promise<{ readonly terminal: boolean }> {
    const uid = podUid(pod);
    const apiStatus = this.apiStatus(pod, status, false);
    this.statuses.setPodStatus(pod, apiStatus);
    if (apiStatus.phase === 'Succeeded' || apiStatus.phase === 'Failed') return { terminal: true };

    this.requireNetwork(pod);
    this.secrets.registerPod(pod);
    this.configMaps.registerPod(pod);
    await this.ensureCgroup(pod, status, apiStatus);
    await this.ensureDirectories(pod);
    await this.waitForVolumes(pod, signal);
    const pullSecrets = await this.pullSecrets(pod);
    this.probes.addPod(pod);
    signal.throwIfAborted();

    const result = await this.runtime.syncPod({
      pod,
      status: status.ips.length > 0 ? status : { ...status, ips: (apiStatus.podIPs ?? []).map(({ ip }) => ip) },
      apiStatus,
      pullSecrets,
      isTerminationRequested: () => this.lifecycle.isTerminationRequested(uid),
    });
    this.reasons.update(uid, result.results);
    // What this sync did is there to be seen, so the next look need not wait for the relist period. Asked for in the next
    // turn, because the worker takes only a status that was read after its sync had ended.
    if (result.results.length > 0) this.clock.setTimer(0, () => this.relist.requestRelist(uid));
    const error = syncErrorOf(result);
    if (error !== undefined) throw error;
    if (result.results.some(({ action }) => action === 'RemoveContainer')) this.workQueue.enqueue(uid, 0);
    return { terminal: false };
  }

  async syncTerminatingPod({ pod, status, gracePeriodSeconds, overrideStatus }: SyncTerminatingContext): Promise<void> {
    const apiStatus = this.apiStatus(pod, status, false);
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

    // Asked anew, not taken from the cache: only the runtime can say that nothing runs any more.
    const fresh = await this.runtime.getPodStatus({ uid: status.uid, name: status.name, namespace: status.namespace });
    const running = fresh.containers.filter(({ state }) => state === 'running').map(({ id }) => id);
    if (running.length > 0) {
      throw new KubeletError(`detected running containers after a successful KillPod, CRI violation: [${running.join(' ')}]`, { code: 'internal' });
    }
    this.statuses.setPodStatus(pod, this.apiStatus(pod, { ...fresh, ips: fresh.ips.length > 0 ? fresh.ips : status.ips }, true));
  }

  async syncTerminatingRuntimePod(runningPod: RuntimePod): Promise<void> {
    const error = syncErrorOf(await this.runtime.killPod({ runningPod, gracePeriodSeconds: 1 }));
    if (error !== undefined) throw error;
  }

  async syncTerminatedPod(pod: Pod, status: RuntimePodStatus, signal: AbortSignal): Promise<void> {
    const uid = podUid(pod);
    this.statuses.setPodStatus(pod, this.apiStatus(pod, status, true));
    await this.volumes.waitForUnmount(pod, signal);
    this.secrets.unregisterPod(pod);
    this.configMaps.unregisterPod(pod);
    await this.cgroups.remove(uid, pod);
    this.reasons.forget(uid);
    this.statuses.terminatePod(pod);
  }

  private apiStatus(pod: Pod, status: RuntimePodStatus, terminal: boolean): PodStatus {
    const uid = podUid(pod);
    const apiStatus = generateApiStatus({
      pod,
      runtime: status,
      runtimeName: this.connection.runtimeName,
      cached: this.statuses.getPodStatus(uid),
      terminal,
      nodeIps: this.config.nodeIps,
      nowMs: this.clock.now(),
      startFailure: (container) => this.reasons.get(uid, container),
      withProbeResults: (lists) => this.probes.withProbeResults(pod, lists),
    });
    if (apiStatus.reason === 'DeadlineExceeded' && this.statuses.getPodStatus(uid)?.reason !== 'DeadlineExceeded') {
      this.events.event({ kind: 'Pod', pod }, 'Normal', 'DeadlineExceeded', apiStatus.message ?? '');
    }
    return apiStatus;
  }

  private requireNetwork(pod: Pod): void {
    const problems = pod.spec.hostNetwork === true ? [] : this.runtimeState.networkErrors();
    if (problems.length === 0) return;
    const message = `network is not ready: ${problems.join(', ')}`;
    this.events.event({ kind: 'Pod', pod }, 'Warning', 'NetworkNotReady', message);
    throw new KubeletError(message, { code: 'unavailable' });
  }

  // A pod whose cgroup vanished under its containers is killed first: they would run without its limits.
  private async ensureCgroup(pod: Pod, status: RuntimePodStatus, apiStatus: PodStatus): Promise<void> {
    if (this.lifecycle.isTerminationRequested(podUid(pod)) || (await this.cgroups.exists(pod))) return;
    const runs = [...(apiStatus.containerStatuses ?? []), ...(apiStatus.initContainerStatuses ?? [])].some(({ state }) => state?.running !== undefined);
    if (runs) {
      const error = syncErrorOf(await this.runtime.killPod({ pod, runningPod: runtimePodOf(status) }));
      if (error !== undefined) this.logger.error('Pod without its cgroup could not be killed', { pod: podRef(pod), error });
      if (pod.spec.restartPolicy === 'Never') return;
    }
    await this.cgroups.ensureExists(pod).catch((error: unknown) => {
      const message = `unable to ensure pod container exists: ${messageOf(error)}`;
      this.events.event({ kind: 'Pod', pod }, 'Warning', 'FailedCreatePodContainer', message);
      throw new KubeletError(`failed to ensure that the pod: ${podUid(pod)} cgroups exist and are correctly applied: ${messageOf(error)}`, { code: 'internal', cause: error });
    });
  }

  private async ensureDirectories(pod: Pod): Promise<void> {
    await makePodDirectories(this.config.rootDir, podUid(pod)).catch((error: unknown) => {
      this.events.event({ kind: 'Pod', pod }, 'Warning', 'Failed', `error making pod data directories: ${messageOf(error)}`);
      throw error;
    });
  }

  private async waitForVolumes(pod: Pod, signal: AbortSignal): Promise<void> {
    const deadline = this.clock.deadline(this.config.volumeTimeoutMs, signal);
    try {
      await this.volumes.waitForAttachAndMount(pod, deadline.signal);
    } catch (error) {
      // The plain time-out makes no event: the volumes' own operations have told what is wrong.
      if (!hasCode(error, 'deadline-exceeded') && !hasCode(error, 'cancelled')) {
        this.events.event({ kind: 'Pod', pod }, 'Warning', 'FailedMount', `Unable to attach or mount volumes: ${messageOf(error)}`);
      }
      throw error;
    } finally {
      deadline.dispose();
    }
  }

  private async pullSecrets(pod: Pod): Promise<readonly Secret[]> {
    const found: Secret[] = [];
    const missing: string[] = [];
    for (const { name } of pod.spec.imagePullSecrets ?? []) {
      if (name === undefined || name === '') continue;
      await this.secrets.get(pod.metadata.namespace ?? '', name).then(
        (secret) => found.push(secret),
        () => missing.push(name),
      );
    }
    if (missing.length > 0) {
      const message = `Unable to retrieve some image pull secrets (${missing.join(', ')}); attempting to pull the image may not succeed.`;
      this.events.event({ kind: 'Pod', pod }, 'Warning', 'FailedToRetrieveImagePullSecret', message);
    }
    return found;
  }
}

export interface PodSyncerDeps {
  readonly runtime: ContainerRuntime;
  readonly connection: RuntimeConnection;
  readonly runtimeState: RuntimeState;
  readonly relist: RelistControl;
  readonly statuses: StatusManager;
  readonly probes: ProbeManager;
  readonly volumes: VolumeManager;
  readonly cgroups: CgroupManager;
  readonly secrets: SecretManager;
  readonly configMaps: ConfigMapManager;
  readonly lifecycle: PodLifecycle;
  readonly workQueue: PodWorkQueue;
  readonly events: EventRecorder;
  readonly clock: Clock;
  readonly logger: Logger;
}

/** Without DI. */
export function createPodSyncer(deps: PodSyncerDeps, config: PodSyncConfig): PodSyncer {
  return new DefaultPodSyncer(
    deps.runtime,
    deps.connection,
    deps.runtimeState,
    deps.relist,
    deps.statuses,
    deps.probes,
    deps.volumes,
    deps.cgroups,
    deps.secrets,
    deps.configMaps,
    deps.lifecycle,
    deps.workQueue,
    deps.events,
    deps.clock,
    deps.logger,
    config,
  );
}
