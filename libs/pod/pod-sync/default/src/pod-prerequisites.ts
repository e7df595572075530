import type { RuntimePodStatus } from '@podwright/container-runtime-interface';
import { KubeletError, hasCode, messageOf } from '@podwright/errors';
import { isStaticPod, podRef, podUid, type Pod, type PodStatus, type Secret } from '@podwright/kube-types';
import { syncErrorOf } from '@podwright/pod-sync-interface';
import { PodDirectories } from './pod-directories.js';
import type { PodSyncConfig } from './pod-sync-config.js';
import type { PodSyncNeeds } from './pod-sync-needs.js';
import { isRestartable } from './restartable.js';
import type { ResizeProgress } from './resize-progress.js';
import { runtimePodOf } from './running-pod.js';
import { networkObstacle, volumesObstacle, type SandboxObstacle } from './sandbox-obstacle.js';
import { isVolumeLimit } from './volume-limit.js';

// Upstream's period for polling the disk while volumes of a terminated pod remain.
const volumesGonePollMs = 100;

// Longer than volumes take that are not stuck.
const slowVolumesMs = 10_000;

export interface Preparation {
  readonly status: RuntimePodStatus;
  readonly apiStatus: PodStatus;
  /** Told what keeps the pod from its sandbox: before the preparation rejects for it, and while volumes take long. */
  readonly onObstacle: (obstacle: SandboxObstacle) => void;
}

/** Prepares what a pod needs on the node before its containers may start, and releases it once they have ended. */
export class PodPrerequisites {
  private readonly directories: PodDirectories;

  constructor(
    private readonly deps: PodSyncNeeds & { readonly resizes: Pick<ResizeProgress, 'recordPodCgroup'> },
    private readonly config: PodSyncConfig,
  ) {
    this.directories = new PodDirectories(config.rootDir);
  }

  /** Prepares in upstream's order; rejects at the first failure. Resolves with the pull secrets that were found. */
  async prepare(
    pod: Pod,
    { status, apiStatus, onObstacle }: Preparation,
    signal: AbortSignal,
  ): Promise<readonly Secret[]> {
    this.requireNetwork(pod, onObstacle);
    // A pod under termination starts nothing that would need them.
    if (!this.deps.lifecycle.isTerminationRequested(podUid(pod))) {
      this.deps.secrets.registerPod(pod);
      this.deps.configMaps.registerPod(pod);
    }
    await this.ensureCgroup(pod, status, apiStatus);
    // Not awaited: static pods run whatever the API server does.
    if (isStaticPod(pod)) void this.deps.mirrorPods?.reconcile(pod);
    await this.ensureDirectories(pod);
    await this.waitForVolumes(pod, onObstacle, signal);
    return this.pullSecrets(pod);
  }

  /** Unmounts volumes first: mounts may still need what the later steps remove. */
  async release(pod: Pod, signal: AbortSignal): Promise<void> {
    await this.deps.volumes.waitForUnmount(pod, signal);
    while (await this.deps.volumes.hasPossiblyMountedVolumes(podUid(pod)))
      await this.deps.clock.sleep(volumesGonePollMs, signal);
    this.deps.secrets.unregisterPod(pod);
    this.deps.configMaps.unregisterPod(pod);
    await this.deps.cgroups.remove(podUid(pod), pod);
    // After the cgroup, whose removal ended the last process: no process may have these ids when they are reused.
    await this.deps.userNamespaces.release(podUid(pod));
    this.directories.forget(podUid(pod));
  }

  private requireNetwork(pod: Pod, onObstacle: Preparation['onObstacle']): void {
    const problems = pod.spec.hostNetwork === true ? [] : this.deps.runtimeState.networkErrors();
    if (problems.length === 0) return;
    const message = `network is not ready: ${problems.join(', ')}`;
    this.warn(pod, 'NetworkNotReady', message);
    onObstacle(networkObstacle);
    throw new KubeletError(message, { code: 'unavailable' });
  }

  // If the pod's cgroup vanished under its containers, kill the pod first: they would run without its limits.
  private async ensureCgroup(pod: Pod, status: RuntimePodStatus, apiStatus: PodStatus): Promise<void> {
    if (this.deps.lifecycle.isTerminationRequested(podUid(pod)) || (await this.deps.cgroups.exists(pod))) return;
    if (apiStatus.containerStatuses?.some(({ state }) => state?.running !== undefined) === true) {
      const error = syncErrorOf(await this.deps.runtime.killPod({ pod, runningPod: runtimePodOf(status) }));
      if (error !== undefined)
        this.deps.logger.error('Pod without its cgroup could not be killed', { pod: podRef(pod), error });
      // The pod has run and will not restart: nothing would start in a new cgroup.
      else if (!isRestartable(pod)) return;
    }
    await this.deps.cgroups.ensureExists(pod).catch((error: unknown) => {
      this.warn(pod, 'FailedCreatePodContainer', `unable to ensure pod container exists: ${messageOf(error)}`);
      const message = `failed to ensure that the pod: ${podUid(pod)} cgroups exist and are correctly applied: ${messageOf(error)}`;
      throw new KubeletError(message, { code: 'internal', cause: error });
    });
    await this.deps.resizes.recordPodCgroup(pod).catch((error: unknown) => {
      const message = `failed to update the state of pod-level resources for the pod ${podUid(pod)} : ${messageOf(error)}`;
      throw new KubeletError(message, { code: 'internal', cause: error });
    });
  }

  private async ensureDirectories(pod: Pod): Promise<void> {
    await this.directories.make(podUid(pod)).catch((error: unknown) => {
      this.warn(pod, 'Failed', `error making pod data directories: ${messageOf(error)}`);
      throw error;
    });
  }

  private async waitForVolumes(pod: Pod, onObstacle: Preparation['onObstacle'], signal: AbortSignal): Promise<void> {
    const deadline = this.deps.clock.deadline(this.config.volumeTimeoutMs, signal);
    const tell = (): void => onObstacle(volumesObstacle(pod, this.deps.volumes.getMountedVolumes(podUid(pod))));
    const late = this.deps.clock.setTimer(slowVolumesMs, tell);
    try {
      await this.deps.volumes.waitForAttachAndMount(pod, deadline.signal);
    } catch (error) {
      // A plain timeout records no event: the volumes' own operations have reported the cause.
      const isTimeout = hasCode(error, 'deadline-exceeded') || hasCode(error, 'cancelled');
      if (!isTimeout && !isVolumeLimit(error)) {
        this.warn(pod, 'FailedMount', `Unable to attach or mount volumes: ${messageOf(error)}`);
      }
      if (!isVolumeLimit(error) && !signal.aborted) tell();
      throw error;
    } finally {
      late.cancel();
      deadline.dispose();
    }
  }

  private async pullSecrets(pod: Pod): Promise<readonly Secret[]> {
    const found: Secret[] = [];
    const missing: string[] = [];
    for (const { name } of pod.spec.imagePullSecrets ?? []) {
      if (name === undefined || name === '') continue;
      await this.deps.secrets.get(pod.metadata.namespace ?? '', name).then(
        (secret) => found.push(secret),
        (error: unknown) => {
          this.deps.logger.warn('Unable to retrieve pull secret, the image pull may not succeed.', {
            pod: podRef(pod),
            secret: name,
            error,
          });
          missing.push(name);
        },
      );
    }
    if (missing.length > 0) {
      const names = missing.join(', ');
      this.warn(
        pod,
        'FailedToRetrieveImagePullSecret',
        `Unable to retrieve some image pull secrets (${names}); attempting to pull the image may not succeed.`,
      );
    }
    return found;
  }

  private warn(pod: Pod, reason: string, message: string): void {
    this.deps.events.event({ kind: 'Pod', pod }, 'Warning', reason, message);
  }
}
