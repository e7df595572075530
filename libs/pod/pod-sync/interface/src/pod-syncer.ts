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
 * The four syncs that a pod worker calls, one at a time per pod. Each is safe to repeat after a failure or a kill of the
 * process. A sync that has asked the runtime for a change asks for a look at the pod (`RelistControl`) before it ends: nobody may
 * take the status of before for the one after. All reject on failure; the worker retries, not before {@link backOffUntilOf} the
 * error when it has one.
 * Source: kubernetes v1.36 pkg/kubelet/kubelet.go SyncPod etc.
 */
export interface PodSyncer {
  /** Resolves with `terminal: true` when the pod has reached Succeeded or Failed. `signal` reaches up to the runtime sync. */
  syncPod(context: SyncPodContext, signal: AbortSignal): Promise<{ readonly terminal: boolean }>;
  /** Resolves when no container runs any more. */
  syncTerminatingPod(context: SyncTerminatingContext): Promise<void>;
  /** For a pod that only the runtime knows. */
  syncTerminatingRuntimePod(runningPod: RuntimePod): Promise<void>;
  /** Releases volumes, cgroup and the rest; after it nothing of the pod is used any more. */
  syncTerminatedPod(pod: Pod, status: RuntimePodStatus, signal: AbortSignal): Promise<void>;
}

export const POD_SYNCER = createToken<PodSyncer>('kubelet.pod-syncer/v1');
