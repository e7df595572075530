/** Key of an object within its resource: `namespace/name`, or the name alone for a cluster-wide one. */
export function objectKey(namespace: string | undefined, name: string): string {
  return namespace === undefined || namespace === '' ? name : `${namespace}/${name}`;
}
