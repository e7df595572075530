import { podUid, type Pod } from '@podwright/kube-types';

/** The assignment that one container holds. */
export interface Assignment<T> {
  readonly podUid: string;
  readonly container: string;
  readonly held: T;
}

/**
 * Returns the assignments of containers that none of `pods` has, for hint providers to release. `assignments` are keyed
 * by pod UID, then by container name; the result is a copy. Init containers keep theirs as long as their pod exists.
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
