import { createToken, type Lifecycle } from '@podwright/assembly-interface';

/**
 * What is kept. `ServiceList` and `RuntimeClassList` are one object each, with an empty name: pods need all of them.
 */
export type OfflineKind =
  | 'ConfigMap'
  | 'Node'
  | 'Pod'
  | 'RuntimeClassList'
  | 'Secret'
  | 'ServiceAccountToken'
  | 'ServiceList';

export interface OfflineRef {
  readonly kind: OfflineKind;
  /** Empty for what has no namespace. */
  readonly namespace: string;
  readonly name: string;
}

/** A saved copy: what the API server answered last. */
export interface OfflineCopy<T = unknown> {
  readonly ref: OfflineRef;
  readonly object: T;
  /** When this content was written; the server may have confirmed it since. Milliseconds since 1970. */
  readonly savedAtMs: number;
}

/**
 * Copies of the API server's objects that the pods of this node need, kept over reboots, for as long as the API server
 * cannot be reached. Managers keep what the server answers, fall back on the copy only while the server is away
 * ({@link isServerAway}), and take the server's word again at its next answer. Ask for it as `optional`: without a
 * provider, nothing is kept. Upstream has no counterpart.
 */
export interface OfflineObjects extends Lifecycle {
  /**
   * Saves what the server has answered, in place of an earlier copy, which is no longer in use. Returns at once, never
   * throws and never holds up a sync. The first copy is written at once, changes a little later, all in one. `object`
   * is plain JSON, or a function that gives it when it is written. Cheap for content that is saved already.
   */
  keep(ref: OfflineRef, object: object | (() => object)): void;
  /** Removes the copy, from the disk too: the server has no such object, or no pod needs it. Returns at once. */
  forget(ref: OfflineRef): void;
  /** Undefined when there is none, or when it cannot be read; the log then says why. Never rejects. */
  get<T>(ref: OfflineRef): Promise<OfflineCopy<T> | undefined>;
  /** All copies of a kind that can be read, sorted by namespace and name. Never rejects. */
  list<T>(kind: OfflineKind): Promise<readonly OfflineCopy<T>[]>;
  /** What is kept of a kind, from memory. */
  refs(kind: OfflineKind): readonly OfflineRef[];
  /** Says in log and metrics that copies take the place of the server's answers, once for each until `keep` or `forget`. */
  use(copies: readonly OfflineCopy[]): void;
  /**
   * Waits for the first answer of the server. Resolves with false when `synced` resolves or the signal aborts; with
   * true when, after a short time that is an option, there is no answer because the server is away. `synced` rejects
   * on its signal with the last failure as cause, as an informer's does.
   */
  away(synced: (signal: AbortSignal) => Promise<void>, signal: AbortSignal): Promise<boolean>;
  /** Resolves when all that was asked for so far is on disk, or has failed to be. */
  flushed(): Promise<void>;
}

export const OFFLINE_OBJECTS = createToken<OfflineObjects>('kubelet.offline-objects/v1');
