import { KubeletError } from '@podwright/errors';
import type { KubeObject } from '@podwright/kube-client-interface';

/** Provides the objects that pods refer to. Counts references and keeps an object while it has any. */
export interface ObjectStore<T extends KubeObject> {
  /** Rejects with `not-found` when the object does not exist, and with `internal` when it has no reference. */
  get(namespace: string, name: string): Promise<T>;
  /** Cheap, returns at once: the first `get` waits for the object. */
  addReference(namespace: string, name: string): void;
  deleteReference(namespace: string, name: string): void;
  start(): void;
  stop(): Promise<void>;
}

/**
 * Upstream's error for an object without a reference. Not `not-found`, so that an optional reference does not treat it
 * as missing.
 */
export function notRegistered(namespace: string, name: string): KubeletError {
  return new KubeletError(`object "${namespace}"/"${name}" not registered`, { code: 'internal' });
}
