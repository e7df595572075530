import { KubeletError } from '@podwright/errors';
import type { KubeObject } from '@podwright/kube-client-interface';

/** Where the objects that pods refer to come from. References are counted: an object is kept while somebody holds one. */
export interface ObjectStore<T extends KubeObject> {
  /** Rejects with `not-found` when there is no such object, and with `internal` when nobody holds a reference to it. */
  get(namespace: string, name: string): Promise<T>;
  /** Cheap and without waiting: it is the first `get` that waits for the object. */
  addReference(namespace: string, name: string): void;
  deleteReference(namespace: string, name: string): void;
  start(): void;
  stop(): Promise<void>;
}

/** Names are unique in a namespace, and neither has a slash. */
export function objectKey(namespace: string, name: string): string {
  return `${namespace}/${name}`;
}

/** With upstream's text. It is no `not-found`, so that an optional reference does not take it for one. */
export function notRegistered(namespace: string, name: string): KubeletError {
  return new KubeletError(`object "${namespace}"/"${name}" not registered`, { code: 'internal' });
}
