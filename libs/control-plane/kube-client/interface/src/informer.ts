import type { KubeObject } from './resource-type.js';

export interface InformerOptions<T extends KubeObject> {
  /** All namespaces when absent. */
  readonly namespace?: string;
  readonly fieldSelector?: string;
  readonly labelSelector?: string;
  /**
   * Returns what the store keeps of an object; default: all but `metadata.managedFields`. Must not change its argument.
   */
  readonly transform?: (object: T) => T;
  /** How long each watch asks the server to stay open: between this and twice this, at random. Default 300 000. */
  readonly minWatchTimeoutMs?: number;
}

/** A full list reports its differences one by one, then `replaced` once the store holds the list. */
export type InformerChange<T extends KubeObject> =
  | { readonly type: 'added'; readonly object: T }
  | { readonly type: 'updated'; readonly object: T; readonly old: T }
  | { readonly type: 'deleted'; readonly object: T }
  | { readonly type: 'replaced' };

/**
 * A local copy of some objects that list and watch keep current. While the server cannot be reached, the copy stays as
 * it is.
 * Source: kubernetes v1.36 staging/src/k8s.io/client-go/tools/cache/reflector.go.
 */
export interface Informer<T extends KubeObject> {
  /** Starts the first list. A second call does nothing. */
  start(): void;
  /** Resolves when no request, timer or listener is left. The store stays readable. */
  stop(): Promise<void>;
  /** True once the first list is in the store. */
  hasSynced(): boolean;
  /** Resolves when {@link hasSynced} is true; rejects on the signal, with the last failure as cause. */
  synced(signal: AbortSignal): Promise<void>;
  /** The object from the store: never change it. `namespace` is empty for cluster-wide objects. */
  get(namespace: string, name: string): T | undefined;
  list(): readonly T[];
  /**
   * Calls `listener` synchronously after each change of the store, in order. The informer logs what a listener throws.
   * Returns unsubscribe.
   */
  watch(listener: (change: InformerChange<T>) => void): () => void;
  /** Newest resource version that the server has sent; empty before the first list. */
  resourceVersion(): string;
}
