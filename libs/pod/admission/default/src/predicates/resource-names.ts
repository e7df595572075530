import { isExtendedResource, isHugePageResource } from '@podwright/kube-types';

const measured: ReadonlySet<string> = new Set(['cpu', 'memory', 'ephemeral-storage']);

/** Whether the node's usage of the resource is counted; requests of other names are ignored. */
export function isMeasuredResource(name: string): boolean {
  return (
    measured.has(name) ||
    isHugePageResource(name) ||
    name.startsWith('attachable-volumes-') ||
    name.includes('kubernetes.io/') ||
    isExtendedResource(name)
  );
}
