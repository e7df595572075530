import { createToken, type Lifecycle } from '@podwright/assembly-interface';
import type { Pod, PodStatus } from '@podwright/kube-types';
import type { RuntimePod } from '@podwright/container-runtime-interface';
import type { PodWorkState } from './pod-lifecycle.js';

export type PodUpdateType = 'create' | 'update' | 'sync' | 'kill';

export interface KillPodOptions {
  /** The pod is evicted: its content may be removed when it has terminated. */
  readonly evict?: boolean;
  /** Replaces the computed grace period; it can only shrink. */
  readonly gracePeriodSeconds?: number;
  /** Changes the status that is stored at the start of termination; only the last one registered is applied. */
  readonly overrideStatus?: (status: PodStatus) => PodStatus;
  /** Called when the containers have ended (or at once when there is nothing to end). */
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

/** What housekeeping learns from {@link PodWorkers.syncKnownPods} about one remaining worker. */
export interface PodWorkerSync {
  readonly state: PodWorkState;
  readonly orphan: boolean;
  readonly fullName: string;
  /** The pod arrived again with the same UID while it was terminating. */
  readonly restartRequested: boolean;
  readonly hasConfig: boolean;
  /** The pod is static; false for one that only the runtime knows. */
  readonly static: boolean;
}

/**
 * One worker per pod UID: at most one sync runs and at most one update waits, the newest wins. The only writer of the
 * lifecycle truth that {@link PodLifecycle} shows. A termination that was cut off by a kill of the process is known again
 * when `start()` has resolved: it goes on when the pod is created or when syncKnownPods finds that nobody wants it, with what
 * is left of its grace period. Source: kubernetes v1.36 pkg/kubelet/pod_workers.go.
 */
export interface PodWorkers extends Lifecycle {
  /** Never blocks, never throws; updates that no longer matter are dropped by the rules of the state machine. */
  updatePod(options: UpdatePodOptions): void;
  /**
   * Tells which pods are desired: workers of others are terminated, finished ones forgotten. Returns the remaining
   * workers by UID. After the first call the lifecycle queries treat unknown UIDs as gone.
   */
  syncKnownPods(desiredPods: readonly Pod[]): ReadonlyMap<string, PodWorkerSync>;
  /** Kills and waits for the containers to end, at most max(10 s, 1.5 x grace); rejects when that time is over. */
  killPodNow(pod: Pod, options: KillPodOptions): Promise<void>;
}

export const POD_WORKERS = createToken<PodWorkers>('kubelet.pod-workers/v1');
