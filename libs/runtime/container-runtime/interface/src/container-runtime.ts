import { createToken } from '@podwright/assembly-interface';
import type { Pod, PodStatus, Secret } from '@podwright/kube-types';
import type { RuntimePod, RuntimePodStatus } from './runtime-pod.js';
import type { PodSyncResult } from './sync-result.js';

export interface PodIdentity {
  readonly uid: string;
  readonly name: string;
  readonly namespace: string;
}

export interface GetPodsOptions {
  /** false: ready sandboxes and running containers only. */
  readonly all: boolean;
  /** Only this pod, by the label filter of the CRI. */
  readonly podUid?: string;
  /** Highest age of an earlier full list that may answer; by default every call lists the runtime. */
  readonly maxAgeMs?: number;
  readonly signal?: AbortSignal;
}

export interface SyncPodRequest {
  readonly pod: Pod;
  /** The pod cache's status at the start of the sync. */
  readonly status: RuntimePodStatus;
  /** The API status generated for this sync; its conditions control RestartAllContainers. */
  readonly apiStatus: PodStatus;
  readonly pullSecrets: readonly Secret[];
  /** Called before an error is reported: a terminating pod gets no events about failed starts. */
  readonly isTerminationRequested: () => boolean;
  /** Aborts when the pod is to terminate: ends waits for images, which have no time limit, and nothing else. */
  readonly signal?: AbortSignal;
  /** Called when a new sandbox has its network, before any container starts in it. Must not throw. */
  readonly onSandboxReady?: () => void;
}

export interface KillPodRequest {
  /** Absent when only the runtime knows the pod: then names come from labels, and no preStop hook runs. */
  readonly pod?: Pod;
  readonly runningPod: RuntimePod;
  /** Replaces every container's grace period, in seconds. */
  readonly gracePeriodSeconds?: number;
  /** Message of each container's event Killing; default `Stopping container <name>`. */
  readonly message?: string;
}

/**
 * Runs pods on the CRI (upstream: kuberuntime). It keeps no state but back-offs and reads everything else from the
 * runtime. Calls for one pod must not overlap; calls for different pods may.
 * Source: kubernetes v1.36 pkg/kubelet/kuberuntime/kuberuntime_manager.go.
 */
export interface ContainerRuntime {
  /** Makes two list calls for any number of pods; rejects when one fails. Order: as the runtime lists sandboxes. */
  getPods(options: GetPodsOptions): Promise<readonly RuntimePod[]>;
  /**
   * Inspects one pod: a status call per sandbox and container. With `known`, a pod just listed, it does not list again.
   * Leaves out records that vanish meanwhile. A pod unknown to the runtime gives an empty status.
   */
  getPodStatus(pod: PodIdentity, known?: RuntimePod, signal?: AbortSignal): Promise<RuntimePodStatus>;
  /**
   * Resolves when a new pod should prepare for {@link syncPod}, that is get its cgroup, folders and volumes. This is at
   * once, unless many prepared pods wait to start: then another preparation would only take the processor from those
   * that start. Also resolves when the signal aborts; never rejects. The caller calls the function when the preparation
   * has ended, also after a failure. Optional: without it, pods prepare when they come.
   */
  awaitTurn?(pod: Pod, signal: AbortSignal): Promise<() => void>;
  /**
   * Reconciles the pod in the runtime with its spec, by upstream's computePodActions. Never rejects: the result has the
   * errors. Cannot be cancelled.
   */
  syncPod(request: SyncPodRequest): Promise<PodSyncResult>;
  /**
   * Kills all running containers, sidecars last, then stops all sandboxes. Never rejects: the result has the errors.
   * Cannot be cancelled.
   */
  killPod(request: KillPodRequest): Promise<PodSyncResult>;
  /** Removes one exited container, by default with its logs. */
  removeContainer(containerId: string, options?: { readonly keepLogs?: boolean }): Promise<void>;
  /** Removes expired crash-loop back-offs; housekeeping calls it. */
  purgeBackOffs(): void;
}

export const CONTAINER_RUNTIME = createToken<ContainerRuntime>('kubelet.container-runtime/v1');
