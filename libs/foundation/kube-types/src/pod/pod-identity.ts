import type { Pod } from '../objects.js';

/** UID of the pod; the empty string when the object has none yet. */
export function podUid(pod: Pod): string {
  return pod.metadata.uid ?? '';
}

/** `<name>_<namespace>`, upstream's full name; unique among the pods of a node at one time. */
export function podFullName(pod: Pod): string {
  return `${pod.metadata.name ?? ''}_${pod.metadata.namespace ?? ''}`;
}

/** `<name>_<namespace>(<uid>)`, as upstream's messages name a pod. */
export function podRef(pod: Pod): string {
  return `${podFullName(pod)}(${podUid(pod)})`;
}
