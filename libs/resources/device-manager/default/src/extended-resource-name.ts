import { qualifiedName } from '@podwright/kube-types';

/**
 * Whether a plugin may serve the resource: a domain in front that is not Kubernetes' own.
 * Source: kubernetes v1.36 pkg/apis/core/v1/helper/helpers.go IsExtendedResourceName.
 */
export function isExtendedResourceName(name: string): boolean {
  if (!name.includes('/') || name.includes('kubernetes.io/') || name.startsWith('requests.')) return false;
  return qualifiedName(`requests.${name}`).length === 0;
}
