import type { Pod } from '@podwright/kube-types';

const decimal = /^[1-9]\d*$/;

/**
 * The newer of two states of one API object. Resource versions of one resource are decimal numbers that grow (kubernetes
 * v1.35 KEP-5504); of a server that does it otherwise nothing is known: undefined.
 */
export function newerPod(left: Pod, right: Pod): Pod | undefined {
  const [a, b] = [left.metadata.resourceVersion ?? '', right.metadata.resourceVersion ?? ''];
  if (a === b) return left;
  if (!decimal.test(a) || !decimal.test(b)) return undefined;
  const later = a.length === b.length ? a > b : a.length > b.length;
  return later ? left : right;
}
