import { CLOCK, LOGGER } from '@podwright/assembly-interface';
import { CGROUP_MANAGER, type CgroupManager } from '@podwright/cgroup-interface';
import { CONFIGMAP_MANAGER, type ConfigMapManager } from '@podwright/configmap-interface';
import {
  CONTAINER_RUNTIME,
  RUNTIME_STATE,
  type ContainerRuntime,
  type RuntimePodStatus,
  type RuntimeState,
} from '@podwright/container-runtime-interface';
import { KubeletError, hasCode, messageOf } from '@podwright/errors';
import { EVENT_RECORDER, type EventRecorder } from '@podwright/events-interface';
import { isStaticPod, podRef, podUid, type Pod, type PodStatus, type Secret } from '@podwright/kube-types';
import type { Logger } from '@podwright/logging';
import { MIRROR_POD_CLIENT, type MirrorPodClient } from '@podwright/pod-manager-interface';
import { syncErrorOf } from '@podwright/pod-sync-interface';
import { POD_LIFECYCLE, type PodLifecycle } from '@podwright/pod-workers-interface';
import { SECRET_MANAGER, type SecretManager } from '@podwright/secret-interface';
import type { Clock } from '@podwright/time';
import { USER_NAMESPACES, type UserNamespaces } from '@podwright/user-namespace-interface';
import { VOLUME_MANAGER, type VolumeManager } from '@podwright/volume-interface';
import { inject, injectable } from 'tsyringe';
import { PodDirectories } from './pod-directories.js';
import { POD_SYNC_CONFIG, type PodSyncConfig } from './pod-sync-config.js';
import { isRestartable } from './restartable.js';
import { ResizeProgress } from './resize-progress.js';
import { runtimePodOf } from './running-pod.js';

// How often the disk is looked at while volumes of an ended pod are still there; upstream's value.
const volumesGonePollMs = 100;

/** What a pod needs on the node before its containers may start, and what is given back once they have ended. */
@injectable()
export class PodPrerequisites {
  private readonly directories: PodDirectories;

  constructor(
    @inject(CONTAINER_RUNTIME) private readonly runtime: ContainerRuntime,
    @inject(RUNTIME_STATE) private readonly runtimeState: Pick<RuntimeState, 'networkErrors'>,
    @inject(VOLUME_MANAGER) private readonly volumes: VolumeManager,
    @inject(CGROUP_MANAGER) private readonly cgroups: CgroupManager,
    @inject(SECRET_MANAGER) private readonly secrets: SecretManager,
    @inject(CONFIGMAP_MANAGER) private readonly configMaps: ConfigMapManager,
    @inject(USER_NAMESPACES) private readonly userNamespaces: Pick<UserNamespaces, 'release'>,
    @inject(ResizeProgress) private readonly resizes: Pick<ResizeProgress, 'recordPodCgroup'>,
    @inject(POD_LIFECYCLE) private readonly lifecycle: PodLifecycle,
    @inject(EVENT_RECORDER) private readonly events: EventRecorder,
    @inject(CLOCK) private readonly clock: Clock,
    @inject(LOGGER) private readonly logger: Logger,
    @inject(POD_SYNC_CONFIG) private readonly config: PodSyncConfig,
    @inject(MIRROR_POD_CLIENT, { isOptional: true })
    private readonly mirrorPods: Pick<MirrorPodClient, 'reconcile'> | undefined,
  ) {
    this.directories = new PodDirectories(config.rootDir);
  }

  /** In upstream's order; rejects at the first that is missing. Resolves with the pull secrets that were found. */
  async prepare(
    pod: Pod,
    status: RuntimePodStatus,
    apiStatus: PodStatus,
    signal: AbortSignal,
  ): Promise<readonly Secret[]> {
    this.requireNetwork(pod);
    // One that is to end starts nothing any more that would need them.
    if (!this.lifecycle.isTerminationRequested(podUid(pod))) {
      this.secrets.registerPod(pod);
      this.configMaps.registerPod(pod);
    }
    await this.ensureCgroup(pod, status, apiStatus);
    // Not waited for: the node's own pods run whatever the API server does.
    if (isStaticPod(pod)) void this.mirrorPods?.reconcile(pod);
    await this.ensureDirectories(pod);
    await this.waitForVolumes(pod, signal);
    return this.pullSecrets(pod);
  }

  /** Volumes first: their files may be needed as long as anything of them is mounted. */
  async release(pod: Pod, signal: AbortSignal): Promise<void> {
    await this.volumes.waitForUnmount(pod, signal);
    while (await this.volumes.hasPossiblyMountedVolumes(podUid(pod))) await this.clock.sleep(volumesGonePollMs, signal);
    this.secrets.unregisterPod(pod);
    this.configMaps.unregisterPod(pod);
    await this.cgroups.remove(podUid(pod), pod);
    // After the cgroup, with which the last process ended: nobody may have these ids when they are given away again.
    await this.userNamespaces.release(podUid(pod));
    this.directories.forget(podUid(pod));
  }

  private requireNetwork(pod: Pod): void {
    const problems = pod.spec.hostNetwork === true ? [] : this.runtimeState.networkErrors();
    if (problems.length === 0) return;
    const message = `network is not ready: ${problems.join(', ')}`;
    this.warn(pod, 'NetworkNotReady', message);
    throw new KubeletError(message, { code: 'unavailable' });
  }

  // A pod whose cgroup vanished under its containers is killed first: they would run without its limits.
  private async ensureCgroup(pod: Pod, status: RuntimePodStatus, apiStatus: PodStatus): Promise<void> {
    if (this.lifecycle.isTerminationRequested(podUid(pod)) || (await this.cgroups.exists(pod))) return;
    if (apiStatus.containerStatuses?.some(({ state }) => state?.running !== undefined) === true) {
      const error = syncErrorOf(await this.runtime.killPod({ pod, runningPod: runtimePodOf(status) }));
      if (error !== undefined)
        this.logger.error('Pod without its cgroup could not be killed', { pod: podRef(pod), error });
      // It has run once and is over: nothing will be started in a new cgroup.
      else if (!isRestartable(pod)) return;
    }
    await this.cgroups.ensureExists(pod).catch((error: unknown) => {
      this.warn(pod, 'FailedCreatePodContainer', `unable to ensure pod container exists: ${messageOf(error)}`);
      const message = `failed to ensure that the pod: ${podUid(pod)} cgroups exist and are correctly applied: ${messageOf(error)}`;
      throw new KubeletError(message, { code: 'internal', cause: error });
    });
    await this.resizes.recordPodCgroup(pod).catch((error: unknown) => {
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

  private async waitForVolumes(pod: Pod, signal: AbortSignal): Promise<void> {
    const deadline = this.clock.deadline(this.config.volumeTimeoutMs, signal);
    try {
      await this.volumes.waitForAttachAndMount(pod, deadline.signal);
    } catch (error) {
      // The plain time-out makes no event: the volumes' own operations have told what is wrong.
      if (!hasCode(error, 'deadline-exceeded') && !hasCode(error, 'cancelled')) {
        this.warn(pod, 'FailedMount', `Unable to attach or mount volumes: ${messageOf(error)}`);
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
        (error: unknown) => {
          this.logger.warn('Unable to retrieve pull secret, the image pull may not succeed.', {
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
    this.events.event({ kind: 'Pod', pod }, 'Warning', reason, message);
  }
}
