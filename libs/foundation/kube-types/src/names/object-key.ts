/**
 * `namespace/name`, or just the name for an object without a namespace. The key is unique among objects of one kind,
 * because neither part contains a slash.
 */
export function objectKey(namespace: string | undefined, name: string): string {
  return namespace === undefined || namespace === '' ? name : `${namespace}/${name}`;
}
