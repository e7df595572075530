import type { LocalObject, LocalObjectChange, LocalObjectKind, LocalObjectOf } from './local-object.js';

/** What must hold for the object as it is stored. An operation with a condition on an unknown object is `not-found`. */
export interface LocalConditions {
  readonly expectedResourceVersion?: string | undefined;
  readonly expectedUid?: string | undefined;
}

/** Creates an object or replaces the one of its name, whose UID and time of creation stay. */
export interface LocalPut<K extends LocalObjectKind> extends LocalConditions {
  readonly kind: K;
  readonly put: LocalObjectOf<K>;
  /** Rejects with `already-exists` when there is an object of that name. */
  readonly mustNotExist?: boolean;
}

/** Removes an object at once; rejects with `not-found` when there is none. */
export interface LocalRemoval extends LocalConditions {
  readonly kind: LocalObjectKind;
  readonly remove: { readonly namespace: string; readonly name: string };
}

export type LocalOperation = { readonly [K in LocalObjectKind]: LocalPut<K> }[LocalObjectKind] | LocalRemoval;

/**
 * Operations in their order: each sees what those before it have done. A removal and a put of the same name make a new
 * object with a new UID. A put that changes nothing is no change: the object keeps its version.
 */
export type LocalTransaction = readonly LocalOperation[];

/** What a transaction has done. */
export interface LocalCommit {
  /** Per operation: the object as it is now, or as it was last if it was removed. */
  readonly objects: readonly LocalObject[];
  /** In the order of their versions; empty if nothing has changed. */
  readonly changes: readonly LocalObjectChange[];
  /** The version of the last change in the store, also if this transaction has changed nothing. */
  readonly resourceVersion: string;
}
