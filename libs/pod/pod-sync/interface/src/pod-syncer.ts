import { createToken } from '@podwright/assembly-interface';
import type { RuntimePod, RuntimePodStatus } from '@podwright/container-runtime-interface';
import type { Pod, PodStatus } from '@podwright/kube-types';

export interface SyncPodContext {
  readonly updateType: 'create' | 'update' | 'sync';
  readonly pod: Pod;
  readonly mirrorPod?: Pod;
  readonly status: RuntimePodStatus;
}

export interface SyncTerminatingContext {
  readonly pod: Pod;
  readonly status: RuntimePodStatus;
  /** Seconds; absent: the containers' own grace periods. */
  readonly gracePeriodSeconds?: number;
  readonly overrideStatus?: (status: PodStatus) => PodStatus;
}

/**
 * The four syncs that a pod worker calls, one at a time per pod. Each is safe to repeat after a failure or a kill of
 * the process. A sync that has changed something in the runtime requests a relist of the pod (`RelistControl`) before
 * it ends, so that no reader takes the old status for the new one. All reject on failure; the worker retries, but not
 * before the time that {@link backOffUntilOf} gives for the error.
 * Source: kubernetes v1.36 pkg/kubelet/kubelet.go SyncPod etc.
 */
export interface PodSyncer {
  /** Resolves with `terminal: true` when the pod's phase is Succeeded or Failed. `signal` aborts the sync. */
  syncPod(context: SyncPodContext, signal: AbortSignal): Promise<{ readonly terminal: boolean }>;
  /** Resolves when no container runs any more. */
  syncTerminatingPod(context: SyncTerminatingContext): Promise<void>;
  /** Kills a pod that only the runtime knows, with a grace period of one second. */
  syncTerminatingRuntimePod(runningPod: RuntimePod): Promise<void>;
  /** Releases the pod's volumes, cgroup and all other resources. */
  syncTerminatedPod(pod: Pod, status: RuntimePodStatus, signal: AbortSignal): Promise<void>;
}

export const POD_SYNCER = createToken<PodSyncer>('kubelet.pod-syncer/v1');
