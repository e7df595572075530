import { qualifiedName } from '@podwright/kube-types';

/** `example.com/gpu`: a resource that somebody else than Kubernetes has named. Source: kubernetes v1.36 pkg/apis/core/v1/helper/helpers.go. */
export function isExtendedResource(name: string): boolean {
  if (!name.includes('/') || name.includes('kubernetes.io/') || name.startsWith('requests.')) return false;
  return qualifiedName(`requests.${name}`).length === 0;
}

const measured: ReadonlySet<string> = new Set(['cpu', 'memory', 'ephemeral-storage']);

/** Resources that a node is measured by, beside its number of pods; any other name in a request is ignored. */
export function isMeasuredResource(name: string): boolean {
  return (
    measured.has(name) ||
    name.startsWith('hugepages-') ||
    name.startsWith('attachable-volumes-') ||
    name.includes('kubernetes.io/') ||
    isExtendedResource(name)
  );
}
