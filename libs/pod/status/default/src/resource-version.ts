import type { Pod } from '@podwright/kube-types';

const decimal = /^[1-9]\d*$/;

/**
 * The newer of two states of one API object, by their resource versions, which are increasing decimal numbers
 * (kubernetes v1.35 KEP-5504); undefined for a server with other versions.
 */
export function newerPod(left: Pod, right: Pod): Pod | undefined {
  const [a, b] = [left.metadata.resourceVersion ?? '', right.metadata.resourceVersion ?? ''];
  if (a === b) return left;
  if (!decimal.test(a) || !decimal.test(b)) return undefined;
  const later = a.length === b.length ? a > b : a.length > b.length;
  return later ? left : right;
}
