import { podUid, type Pod } from '@podwright/kube-types';

/** What a container of a pod holds. */
export interface Assignment<T> {
  readonly podUid: string;
  readonly container: string;
  readonly held: T;
}

/**
 * What is held by containers that none of the pods has: for hint providers, which give it to others. `assignments` by
 * pod UID, then by container name; the answer is a copy. Init containers keep what they hold as long as their pod is there.
 */
export function abandonedAssignments<T>(
  assignments: ReadonlyMap<string, ReadonlyMap<string, T>>,
  pods: readonly Pod[],
): readonly Assignment<T>[] {
  const names = new Map<string, ReadonlySet<string>>();
  for (const pod of pods) {
    const containers = [...(pod.spec.initContainers ?? []), ...pod.spec.containers];
    names.set(podUid(pod), new Set(containers.map(({ name }) => name)));
  }
  return [...assignments].flatMap(([uid, containers]) =>
    [...containers]
      .filter(([container]) => names.get(uid)?.has(container) !== true)
      .map(([container, held]) => ({ podUid: uid, container, held })),
  );
}
