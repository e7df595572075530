import type { AdmissionResult } from '@podwright/admission-interface';
import { createToken, type Lifecycle } from '@podwright/assembly-interface';
import type { Pod } from '@podwright/kube-types';

/**
 * Why the manager retries pending resizes: the label values of upstream's
 * `kubelet_pod_deferred_accepted_resizes_total`.
 */
export type ResizeTrigger =
  | 'pod_resized'
  | 'pod_updated'
  | 'pods_added'
  | 'pods_removed'
  | 'pod_terminated'
  | 'periodic_retry';

/** The result of an admission, and the promise that its allocation is stored. */
export interface AllocationDecision {
  readonly result: AdmissionResult;
  /**
   * Resolves when the allocation is on disk; at once for a rejected pod. The pod may start only then, but the next
   * admission need not wait: one write stores the allocations of many pods. Never rejects.
   */
  readonly stored: Promise<void>;
}

/**
 * Allocates resources to pods: at admission, and when the spec of a running pod requests others (in-place resize).
 * Callers pass pods as the sources deliver them, with the resources of the spec; only this manager compares those with
 * the allocation.
 * Source: kubernetes v1.36 pkg/kubelet/allocation/allocation_manager.go.
 */
export interface AllocationManager extends Lifecycle {
  /**
   * Admits or rejects a new pod, with its stored allocation when it has one. The manager decides one call after the
   * other; each decision counts the pods admitted before. The promise never rejects.
   */
  admitPod(pod: Pod): Promise<AllocationDecision>;
  /**
   * Call it with each batch of admitted pods: a resize becomes pending for each one whose spec differs from its stored
   * allocation. Returns true when there is at least one; {@link retryPendingResizes} decides them.
   */
  noticeAdded(pods: readonly Pod[]): boolean;
  /**
   * Call it when the spec of a pod has changed. Returns true when a resize is now pending for
   * {@link retryPendingResizes}. A spec that is back at the allocation cancels its pending resize. `oldPod` is
   * undefined when it is not known.
   */
  noticeUpdated(oldPod: Pod | undefined, pod: Pod): boolean;
  /**
   * Call it when the status of a pod has changed. Returns a trigger when that may have made room for a pending resize.
   */
  noticeReconciled(oldPod: Pod | undefined, pod: Pod): ResizeTrigger | undefined;
  /** Call it when the source has removed the pod: deletes its allocation, resize conditions and pending resize. */
  removePod(podUid: string): void;
  /** Deletes allocations and resize conditions of all pods but these. */
  removeOrphans(podUids: ReadonlySet<string>): void;
  /**
   * Decides the pending resizes by upstream's order of priority, one after the other. Does nothing before all sources
   * are ready. Never rejects.
   */
  retryPendingResizes(trigger: ResizeTrigger): Promise<void>;
  hasPendingResize(podUid: string): boolean;
  /**
   * Calls `listener` for each pod that needs a sync because its resize conditions or allocation changed. Returns
   * unsubscribe.
   */
  watch(listener: (podUid: string) => void): () => void;
}

export const ALLOCATION_MANAGER = createToken<AllocationManager>('kubelet.allocation-manager/v1');
