import type { KubeObject } from './resource-type.js';

export interface InformerOptions<T extends KubeObject> {
  /** All namespaces when absent. */
  readonly namespace?: string;
  readonly fieldSelector?: string;
  readonly labelSelector?: string;
  /** Makes what is kept of each object; the default drops `metadata.managedFields`. Must not change its argument. */
  readonly transform?: (object: T) => T;
  /** How long the server is asked to leave a watch open, up to twice as long at random. Default 300 000. */
  readonly minWatchTimeoutMs?: number;
}

/** `replaced` comes after each full list, once the store holds it; the single differences of that list come before it. */
export type InformerChange<T extends KubeObject> =
  | { readonly type: 'added'; readonly object: T }
  | { readonly type: 'updated'; readonly object: T; readonly old: T }
  | { readonly type: 'deleted'; readonly object: T }
  | { readonly type: 'replaced' };

/**
 * A local copy of some objects, kept fresh by list and watch. Source: kubernetes v1.36
 * staging/src/k8s.io/client-go/tools/cache/reflector.go. While the server cannot be reached the copy stays as it is.
 */
export interface Informer<T extends KubeObject> {
  /** Begins. A second call does nothing. */
  start(): void;
  /** Resolves when no request, timer or listener is left. The store stays readable. */
  stop(): Promise<void>;
  /** True once the first list is in the store. */
  hasSynced(): boolean;
  /** Resolves when {@link hasSynced}; rejects on the signal, with the last failure as cause. */
  synced(signal: AbortSignal): Promise<void>;
  /** Frozen in tests; treat as immutable. Namespace empty for cluster-wide objects. */
  get(namespace: string, name: string): T | undefined;
  list(): readonly T[];
  /** Calls in the order of the changes, synchronously after the store has them; what throws is logged. Returns unsubscribe. */
  watch(listener: (change: InformerChange<T>) => void): () => void;
  /** Newest resource version seen, empty before the first list. */
  resourceVersion(): string;
}
