import type { LocalObject, LocalObjectKind, LocalOperation } from '@podwright/local-objects-interface';

/** The key of an object among those of all kinds. */
export const keyOf = (kind: LocalObjectKind, namespace = '', name = ''): string => `${kind}/${namespace}/${name}`;

export function keyOfObject(kind: LocalObjectKind, { metadata }: LocalObject): string {
  return keyOf(kind, metadata?.namespace, metadata?.name);
}

export function keyOfOperation(operation: LocalOperation): string {
  if ('put' in operation) return keyOfObject(operation.kind, operation.put);
  return keyOf(operation.kind, operation.remove.namespace, operation.remove.name);
}
