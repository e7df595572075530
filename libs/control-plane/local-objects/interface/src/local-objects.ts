import { createToken, type Lifecycle } from '@podwright/assembly-interface';
import type { LocalObjectChange, LocalObjectKind, LocalObjectOf } from './local-object.js';
import type { LocalCommit, LocalTransaction } from './local-transaction.js';

/** The objects of one kind at one moment. */
export interface LocalObjectList<K extends LocalObjectKind> {
  /** In the order of their creation, then by namespace and name. */
  readonly items: readonly LocalObjectOf<K>[];
  /** The version of the last change of any object: what {@link LocalObjects.since} takes. */
  readonly resourceVersion: string;
}

/**
 * The pods, config maps and secrets of a node that has them from nobody else: put by people through the local API, kept
 * on disk. It stores objects as they are: it neither validates them nor knows how pods live. Readers see an object when
 * its commit is durable, and not before. Objects are immutable; those who read one must not change it.
 *
 * The store sets `metadata.uid` and `creationTimestamp` when an object is new, `resourceVersion` at each change, and a
 * pod's `generation`, which begins with 1 and grows when the spec changes and when a `deletionTimestamp` is set. It
 * ignores these four fields in what is put. All versions come from one counter, written in decimal, which never goes
 * back, also not by restarts and removals. It begins with 1, because the API gives 0 a meaning of its own. There is no upstream equivalent; the rules of versions, UIDs and generations
 * are those of kubernetes v1.36 staging/src/k8s.io/apiserver/pkg/registry.
 */
export interface LocalObjects extends Lifecycle {
  get<K extends LocalObjectKind>(kind: K, namespace: string, name: string): LocalObjectOf<K> | undefined;
  list<K extends LocalObjectKind>(kind: K): LocalObjectList<K>;
  /**
   * Where a read-only object comes from, such as the path of its manifest; undefined for all others, and for objects
   * that do not exist.
   */
  originOf(kind: LocalObjectKind, namespace: string, name: string): string | undefined;
  /**
   * Applies a transaction, all of it or nothing, also over a kill -9 and a power cut. Resolves when it is durable; one
   * that was not answered may or may not be there afterwards. Commits run one after another in the order of the calls.
   *
   * A function is called when its turn has come: `get` and `list` then show exactly the state that its transaction will
   * change. It must not call `commit`; what it throws rejects its commit.
   *
   * Rejects, having changed nothing:
   * - `not-found`, `already-exists`, `aborted` (a conflict) for an operation whose condition does not hold, with
   *   upstream's reason and message, which names the kind and the object
   * - `failed-precondition` for an object that is read-only; the message names its origin
   * - `invalid-argument` for an object without a name or namespace
   * - `resource-exhausted` when there would be too many objects, or too large ones
   * - `unavailable` when the disk refuses to write, and when the store is not running
   */
  commit(transaction: LocalTransaction | (() => LocalTransaction)): Promise<LocalCommit>;
  /**
   * Calls `listener` with each change from now on, in the order of the versions, when the whole transaction is durable
   * and `get` shows it. The listener must only enqueue, never throw. Returns unsubscribe.
   */
  watch(listener: (change: LocalObjectChange) => void): () => void;
  /**
   * The changes of a kind after a version, oldest first; undefined when that is no longer known, or not yet. Who calls
   * it and {@link watch} without a pause between them misses nothing.
   */
  since<K extends LocalObjectKind>(kind: K, resourceVersion: string): readonly LocalObjectChange<K>[] | undefined;
}

export const LOCAL_OBJECTS = createToken<LocalObjects>('kubelet.local-objects/v1');
