import { createToken } from '@podwright/assembly-interface';
import type { Pod, PodCondition } from '@podwright/kube-types';

/** What a change of a resize condition came to. */
export interface ResizeConditionChange {
  /** False when the condition says what it said before. */
  readonly changed: boolean;
  /** Generation of the pod spec that the condition stands for. */
  readonly generation: number;
}

/**
 * How far the resize of each pod has come, in the form of its conditions PodResizePending and PodResizeInProgress. Kept in
 * memory; a resize that goes on is found again from the two checkpoints. Source: kubernetes v1.36
 * pkg/kubelet/status/status_manager.go.
 */
export interface ResizeConditions {
  /** The pod's conditions, PodResizePending before PodResizeInProgress; empty when nothing is resized. */
  of(podUid: string): readonly PodCondition[];
  /** Takes over the conditions that the API shows for a pod of which nothing is known here: another kubelet set them. */
  backfill(pod: Pod): void;
  /** `changed` when the reason or the generation is new. lastTransitionTime moves with the reason. */
  setPending(pod: Pod, reason: 'Deferred' | 'Infeasible', message: string): ResizeConditionChange;
  /** True when there was one. */
  clearPending(podUid: string): boolean;
  /**
   * An empty reason means that it goes well, but takes no error away: only {@link clearInProgress} does. The generation of
   * a condition that exists stays. `changed` when the reason or the message is new, or there was none before.
   */
  setInProgress(pod: Pod, reason: '' | 'Error', message: string): ResizeConditionChange;
  /** `changed` when there was one, with its generation. */
  clearInProgress(podUid: string): ResizeConditionChange;
  forget(podUid: string): void;
  /** UIDs of pods with at least one condition. */
  podUids(): readonly string[];
}

export const RESIZE_CONDITIONS = createToken<ResizeConditions>('kubelet.resize-conditions/v1');
