import { qualifiedName } from './name-rules.js';

// Source: kubernetes v1.36 pkg/apis/core/v1/helper/helpers.go.

/** True for a resource of Kubernetes itself, such as `cpu` or `kubernetes.io/x`. */
export function isNativeResource(name: string): boolean {
  return !name.includes('/') || name.includes('kubernetes.io/');
}

/**
 * True for a resource of another vendor, such as `example.com/gpu`. A quota puts `requests.` before the name: the
 * result must be a valid name, and the resource itself must not begin with `requests.`.
 */
export function isExtendedResource(name: string): boolean {
  return !isNativeResource(name) && !name.startsWith('requests.') && qualifiedName(`requests.${name}`).length === 0;
}

/**
 * True for a resource that a ResourceClaim may serve: an extended resource, or a device class by its implicit name.
 * Source: kubernetes v1.36 pkg/scheduler/util/utils.go IsDRAExtendedResourceName.
 */
export function isClaimableResource(name: string): boolean {
  return isExtendedResource(name) || name.startsWith('deviceclass.resource.kubernetes.io/');
}

/** True for huge pages of one size, such as `hugepages-2Mi`. */
export function isHugePageResource(name: string): boolean {
  return name.startsWith('hugepages-');
}
