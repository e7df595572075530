import { createToken, type Lifecycle } from '@podwright/assembly-interface';
import type { Pod } from '@podwright/kube-types';

export type PodSource = 'file' | 'http' | 'api';

/** DELETE is a graceful deletion (deletionTimestamp set), REMOVE means that the source no longer has the pod. */
export type PodOperation = 'ADD' | 'UPDATE' | 'REMOVE' | 'RECONCILE' | 'DELETE';

/** One difference of one source. Pods are defaulted, validated, annotated with their source, and immutable from here on. */
export interface PodUpdate {
  readonly op: PodOperation;
  readonly source: PodSource;
  readonly pods: readonly Pod[];
}

/**
 * Reads all configured sources and reports differences. Every source always delivers its full set; a source that
 * cannot be read delivers nothing, so that its pods live on. Source: kubernetes v1.36 pkg/kubelet/config/config.go.
 */
export interface PodConfig extends Lifecycle {
  /** Calls `listener` once per operation, in upstream's order REMOVE, ADD, UPDATE, DELETE, RECONCILE. One listener only. */
  watch(listener: (update: PodUpdate) => void): () => void;
  /** The loop has handled what `source` delivered first. */
  markSeen(source: PodSource): void;
  /** Each configured source has delivered at least once and was marked seen. Until then nothing is removed or killed. */
  allSourcesReady(): boolean;
}

export const POD_CONFIG = createToken<PodConfig>('kubelet.pod-config/v1');
