import type { AdmissionResult } from '@podwright/admission-interface';
import { createToken, type Lifecycle } from '@podwright/assembly-interface';
import type { Pod } from '@podwright/kube-types';

/** Why pending resizes are tried again; upstream's label values of `kubelet_pod_deferred_accepted_resizes_total`. */
export type ResizeTrigger =
  'pod_resized' | 'pod_updated' | 'pods_added' | 'pods_removed' | 'pod_terminated' | 'periodic_retry';

/** An admission, and what is still to be done for it. */
export interface AllocationDecision {
  readonly result: AdmissionResult;
  /**
   * Resolves when what was granted is on the disk, which the pod's start has to wait for; at once for a refused pod. The
   * next decision need not wait: what many pods are granted meanwhile goes into one write. Never rejects.
   */
  readonly stored: Promise<void>;
}

/**
 * Grants resources: at admission, and when the spec of a running pod asks for others (in-place resize). Pods given to it
 * are those of the sources, with the resources that the spec asks for; it alone compares them with the allocation.
 * Source: kubernetes v1.36 pkg/kubelet/allocation/allocation_manager.go.
 */
export interface AllocationManager extends Lifecycle {
  /**
   * Admits a new pod, with its stored allocation when it has one. Decisions are made one after the other in the order of
   * the calls, each with those before it counted. Never rejects.
   */
  admitPod(pod: Pod): Promise<AllocationDecision>;
  /**
   * For a batch of pods that were admitted: those whose spec differs from the stored allocation wait for
   * {@link retryPendingResizes}. True when at least one does.
   */
  noticeAdded(pods: readonly Pod[]): boolean;
  /**
   * The spec of a pod changed. True when it now waits for {@link retryPendingResizes}; a resize that was taken back no
   * longer waits. `oldPod` undefined: not known.
   */
  noticeUpdated(oldPod: Pod | undefined, pod: Pod): boolean;
  /** The status of a pod changed. Tells the trigger when that may have made room for a resize that waits. */
  noticeReconciled(oldPod: Pod | undefined, pod: Pod): ResizeTrigger | undefined;
  /** The source does not want the pod any more. */
  removePod(podUid: string): void;
  /** Forgets all but these pods. */
  removeOrphans(podUids: ReadonlySet<string>): void;
  /** Tries the waiting resizes in their order; nothing happens before all sources are ready. One try at a time. Never rejects. */
  retryPendingResizes(trigger: ResizeTrigger): Promise<void>;
  hasPendingResize(podUid: string): boolean;
  /** Called for each pod whose resize was granted, refused or deferred anew: it wants a sync. Returns unsubscribe. */
  watch(listener: (podUid: string) => void): () => void;
}

export const ALLOCATION_MANAGER = createToken<AllocationManager>('kubelet.allocation-manager/v1');
