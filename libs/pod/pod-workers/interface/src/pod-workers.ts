import { createToken, type Lifecycle } from '@podwright/assembly-interface';
import type { Pod, PodStatus } from '@podwright/kube-types';
import type { RuntimePod } from '@podwright/container-runtime-interface';
import type { PodWorkState } from './pod-lifecycle.js';

export type PodUpdateType = 'create' | 'update' | 'sync' | 'kill';

export interface KillPodOptions {
  /** True: the pod is evicted, so its logs and dead containers may be removed. */
  readonly evict?: boolean;
  /** Replaces the computed grace period; it can only shrink. */
  readonly gracePeriodSeconds?: number;
  /** Changes the status that the pod gets at the start of its termination; of several, only the last applies. */
  readonly overrideStatus?: (status: PodStatus) => PodStatus;
  /** Called when the containers have ended, or at once when none is left to end. */
  readonly onCompleted?: () => void;
}

/** Exactly one of `pod` and `runningPod` is set; `runningPod` alone means that only the runtime knows the pod. */
export interface UpdatePodOptions {
  readonly type: PodUpdateType;
  readonly pod?: Pod;
  readonly mirrorPod?: Pod;
  readonly runningPod?: RuntimePod;
  readonly kill?: KillPodOptions;
}

/** What {@link PodWorkers.syncKnownPods} returns for one remaining worker. */
export interface PodWorkerSync {
  readonly state: PodWorkState;
  readonly orphan: boolean;
  readonly fullName: string;
  /** True when a pod with the same UID arrived again while this one was terminating. */
  readonly restartRequested: boolean;
  readonly hasConfig: boolean;
  /** True for a static pod; false for a pod that only the runtime knows. */
  readonly static: boolean;
}

/**
 * Runs one worker per pod UID: at most one sync runs and at most one update waits, of which the newest wins. Only the
 * workers write the state that {@link PodLifecycle} shows. `start()` restores terminations that a kill of the kubelet
 * interrupted. Such a termination resumes with the rest of its grace period when the pod is created again, or when
 * syncKnownPods finds the pod orphaned. Source: kubernetes v1.36 pkg/kubelet/pod_workers.go.
 */
export interface PodWorkers extends Lifecycle {
  /** Never blocks and never throws. The state machine's rules drop updates that no longer matter. */
  updatePod(options: UpdatePodOptions): void;
  /**
   * Terminates the pods that are not in `desiredPods` and forgets finished ones. Returns the remaining workers by UID.
   * After the first call `PodLifecycle` treats unknown UIDs as removed. With `among` it does nothing about other
   * pods than those, and about unknown UIDs; it returns only their workers.
   */
  syncKnownPods(desiredPods: readonly Pod[], among?: (pod: Pod) => boolean): ReadonlyMap<string, PodWorkerSync>;
  /**
   * Kills the pod and waits for its containers to end. Rejects with `deadline-exceeded` after max(10 s, 1.5 x grace).
   */
  killPodNow(pod: Pod, options: KillPodOptions): Promise<void>;
}

export const POD_WORKERS = createToken<PodWorkers>('kubelet.pod-workers/v1');
