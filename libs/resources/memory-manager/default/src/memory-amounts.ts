import { isHugePageResource } from '@podwright/kube-types';
/** Bytes per resource: `memory`, `hugepages-<size>`. */
export type MemoryAmounts = ReadonlyMap<string, number>;

export function isMemoryResource(name: string): boolean {
  return name === 'memory' || isHugePageResource(name);
}
