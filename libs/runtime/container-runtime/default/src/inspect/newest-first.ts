import type { RuntimeContainerState } from '@podwright/container-runtime-interface';
import type { PodSandboxStatus } from '@podwright/cri-client-interface';

interface Created {
  readonly id: string;
  readonly createdAt: bigint;
}

/** Orders newest first, then by id. Source: kubernetes v1.36 pkg/kubelet/kuberuntime/helpers.go. */
export function byCreation(a: Created, b: Created): number {
  if (a.createdAt !== b.createdAt) return a.createdAt > b.createdAt ? -1 : 1;
  return a.id < b.id ? -1 : a.id > b.id ? 1 : 0;
}

/** Orders by highest attempt, then as {@link byCreation}. */
export function byAttempt(
  a: Created & { readonly attempt: number },
  b: Created & { readonly attempt: number },
): number {
  return b.attempt - a.attempt || byCreation(a, b);
}

export function bySandboxAttempt(a: PodSandboxStatus, b: PodSandboxStatus): number {
  return (b.metadata?.attempt ?? 0) - (a.metadata?.attempt ?? 0) || byCreation(a, b);
}

interface Restarted extends Created {
  readonly name: string;
  readonly restartCount: number;
  readonly state: RuntimeContainerState;
}

/**
 * Orders as {@link byCreation}, except that among containers of one name the highest restart count is the newest:
 * the wall clock may have been set back since an earlier one was created. One that was only created comes after one that
 * runs: the runtime may create it late, for a kubelet that was killed meanwhile, and then nothing is to be started again.
 */
export function newestContainersFirst<T extends Restarted>(containers: readonly T[]): T[] {
  const ordered = [...containers].sort(byCreation);
  const byName = new Map<string, T[]>();
  for (const container of ordered) {
    const same = byName.get(container.name);
    if (same === undefined) byName.set(container.name, [container]);
    else same.push(container);
  }
  // Nearly always no container has been restarted.
  if (byName.size === ordered.length) return ordered;
  // The sort is stable, so equal counts stay ordered by creation.
  for (const same of byName.values()) {
    const runs = same.some(({ state }) => state === 'running');
    const isLate = ({ state }: T): boolean => runs && state === 'created';
    same.sort((a, b) => Number(isLate(a)) - Number(isLate(b)) || b.restartCount - a.restartCount);
  }
  return ordered.map((container) => byName.get(container.name)?.shift() ?? container);
}
