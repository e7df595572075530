import { createToken, type Lifecycle } from '@podwright/assembly-interface';
import type { Pod, PodSource } from '@podwright/kube-types';

export type { PodSource };

/**
 * DELETE: the pod is being deleted gracefully (deletionTimestamp is set). REMOVE: the source no longer has the pod.
 * RECONCILE: only the status of the pod has changed.
 */
export type PodOperation = 'ADD' | 'UPDATE' | 'REMOVE' | 'RECONCILE' | 'DELETE';

/** Changes of one kind from one source. Pods are defaulted, validated, annotated with their source, and immutable. */
export interface PodUpdate {
  readonly op: PodOperation;
  readonly source: PodSource;
  readonly pods: readonly Pod[];
}

/**
 * Reads all configured sources and reports the differences. A source always delivers its full set of pods. A source
 * that cannot be read delivers nothing, so its pods keep running. Source: kubernetes v1.36
 * pkg/kubelet/config/config.go.
 */
export interface PodConfig extends Lifecycle {
  /**
   * Calls `listener` once per operation of each delivery, in upstream's order REMOVE, ADD, UPDATE, DELETE, RECONCILE.
   * Allows one listener only. Returns unsubscribe.
   */
  watch(listener: (update: PodUpdate) => void): () => void;
  /** The sync loop calls it when it has handled the first delivery of `source`. */
  markSeen(source: PodSource): void;
  /**
   * True when each configured source has delivered once, not only what it remembers, and is marked seen since. Until then no pod may be removed or killed,
   * except static pods that their own source has had and no longer has.
   */
  allSourcesReady(): boolean;
}

export const POD_CONFIG = createToken<PodConfig>('kubelet.pod-config/v1');
