import { createToken } from '@podwright/assembly-interface';
import type { Pod, PodCondition } from '@podwright/kube-types';

/** The result of setting or clearing a resize condition. */
export interface ResizeConditionChange {
  /** False when the call changed nothing that is worth an event; each method says what counts. */
  readonly changed: boolean;
  /** Generation of the pod spec that the condition refers to. */
  readonly generation: number;
}

/**
 * The conditions PodResizePending and PodResizeInProgress of each pod. They are in memory only: after a restart the
 * kubelet finds a resize in progress by comparing {@link AllocatedResources} with {@link ActuatedResources}. Source:
 * kubernetes v1.36 pkg/kubelet/status/status_manager.go.
 */
export interface ResizeConditions {
  /** The pod's conditions, PodResizePending before PodResizeInProgress; empty without a resize. */
  of(podUid: string): readonly PodCondition[];
  /**
   * Copies the conditions from the API object, for a pod without conditions here: an earlier kubelet process set them.
   */
  backfill(pod: Pod): void;
  /** `changed` is true when the reason or the generation is new. lastTransitionTime changes with the reason only,
   * lastProbeTime also with the message and the generation.
   */
  setPending(pod: Pod, reason: 'Deferred' | 'Infeasible', message: string): ResizeConditionChange;
  /** Returns true when the pod had the condition. */
  clearPending(podUid: string): boolean;
  /**
   * An empty reason means that the resize proceeds without error. It does not replace an existing condition, so an
   * error stays until {@link clearInProgress}. An existing condition keeps its generation. `changed` is true when the
   * reason or the message is new, or the pod did not have the condition.
   */
  setInProgress(pod: Pod, reason: '' | 'Error', message: string): ResizeConditionChange;
  /** `changed` is true when the pod had the condition; `generation` is that of the removed condition. */
  clearInProgress(podUid: string): ResizeConditionChange;
  forget(podUid: string): void;
  /** UIDs of pods with at least one condition. */
  podUids(): readonly string[];
}

export const RESIZE_CONDITIONS = createToken<ResizeConditions>('kubelet.resize-conditions/v1');
