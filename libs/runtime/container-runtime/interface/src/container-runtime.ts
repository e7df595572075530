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
  /** The last full list may answer when it is no older than this; by default the runtime is always asked. */
  readonly maxAgeMs?: number;
  readonly signal?: AbortSignal;
}

export interface SyncPodRequest {
  readonly pod: Pod;
  /** What the pod cache knew when the sync began. */
  readonly status: RuntimePodStatus;
  /** The API status generated for this sync (conditions steer RestartAllContainers). */
  readonly apiStatus: PodStatus;
  readonly pullSecrets: readonly Secret[];
  /** Asked before errors are reported: a pod that is going away makes no noise. */
  readonly isTerminationRequested: () => boolean;
  /** Ends waits for images, which may be without end, once the pod is to go. Nothing else is cut off. */
  readonly signal?: AbortSignal;
  /** A new sandbox has its network; nothing has been started in it yet. Must not throw. */
  readonly onSandboxReady?: () => void;
}

export interface KillPodRequest {
  /** Absent when only the runtime knows the pod: then names come from labels and there is no preStop hook. */
  readonly pod?: Pod;
  readonly runningPod: RuntimePod;
  /** Replaces every container's grace period, in seconds. */
  readonly gracePeriodSeconds?: number;
  /** Text of the event Killing of each container; default `Stopping container <name>`. */
  readonly message?: string;
}

/**
 * Pods on top of the CRI (upstream: kuberuntime). It keeps no truth of its own besides back-offs: what runs is always
 * read from the runtime. Calls for one pod must not overlap, calls for different pods may.
 * Source: kubernetes v1.36 pkg/kubelet/kuberuntime/kuberuntime_manager.go.
 */
export interface ContainerRuntime {
  /** Two list calls, whatever the number of pods. Rejects when either fails. Order: as the runtime lists sandboxes. */
  getPods(options: GetPodsOptions): Promise<readonly RuntimePod[]>;
  /**
   * Inspects one pod: a status call per sandbox and container. With `known`, a pod just listed, the lists are not asked
   * again. Records that vanish meanwhile are left out. A pod unknown to the runtime gives an empty status.
   */
  getPodStatus(pod: PodIdentity, known?: RuntimePod, signal?: AbortSignal): Promise<RuntimePodStatus>;
  /** Brings the runtime towards the spec by the rules of computePodActions. Never rejects; look at the result. Not cancellable. */
  syncPod(request: SyncPodRequest): Promise<PodSyncResult>;
  /** Kills all running containers (in sidecar order), then stops all sandboxes. Never rejects. Not cancellable. */
  killPod(request: KillPodRequest): Promise<PodSyncResult>;
  /** Removes one exited container, by default with its logs. */
  removeContainer(containerId: string, options?: { readonly keepLogs?: boolean }): Promise<void>;
  /** Forgets crash-loop back-offs that have run out; housekeeping calls it. */
  purgeBackOffs(): void;
}

export const CONTAINER_RUNTIME = createToken<ContainerRuntime>('kubelet.container-runtime/v1');
