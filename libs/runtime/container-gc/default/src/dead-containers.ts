import { ContainerState, podUidLabel } from '@podwright/cri-client-interface';
import type { Container } from '@podwright/cri-client-interface';

export interface DeadContainerPolicy {
  readonly minAgeMs: number;
  /** -1: no limit. */
  readonly maxPerPodContainer: number;
  /** -1: no limit. */
  readonly maxContainers: number;
}

export interface NodeView {
  /** Wall-clock milliseconds. */
  readonly nowMs: number;
  /** Whether everything of the pod may be removed; called once per pod. */
  readonly isRemoved: (podUid: string) => boolean;
}

/** UID of the pod in the container's labels. */
export function podUidOf({ labels }: Container): string {
  return labels[podUidLabel] ?? '';
}

/**
 * Selects the dead containers to remove: all of removed pods, then those beyond the limit per container, then those
 * beyond the limit of the node; the newest are kept. Source: kubernetes v1.36 pkg/kubelet/kuberuntime/kuberuntime_gc.go
 * evictContainers.
 */
export function selectDeadContainers(
  containers: readonly Container[],
  policy: DeadContainerPolicy,
  view: NodeView,
): Container[] {
  const removed: Container[] = [];
  let units = deadUnits(containers, policy, view).filter((unit) => {
    if (!view.isRemoved(podUidOf(unit[0] as Container))) return true;
    removed.push(...unit);
    return false;
  });
  const keepNewest = (count: number): void => {
    for (const unit of units) removed.push(...unit.splice(count));
    units = units.filter(({ length }) => length > 0);
  };
  if (policy.maxPerPodContainer >= 0) keepNewest(policy.maxPerPodContainer);
  const total = (): number => units.reduce((sum, { length }) => sum + length, 0);
  if (policy.maxContainers >= 0 && total() > policy.maxContainers) {
    keepNewest(Math.max(1, Math.floor(policy.maxContainers / units.length)));
    if (total() > policy.maxContainers) removed.push(...units.flat().sort(newestFirst).slice(policy.maxContainers));
  }
  return removed;
}

/**
 * Dead containers by pod and container name, newest first. Every container that does not run counts as dead, also one
 * in state created or unknown. Those that were created and never started are apart, unlike upstream: a newer one of
 * them must not cost the record that has the last exit code, and the time from which the back-off counts.
 */
function deadUnits(
  containers: readonly Container[],
  { minAgeMs }: DeadContainerPolicy,
  { nowMs }: NodeView,
): Container[][] {
  const youngest = BigInt(Math.trunc(nowMs - minAgeMs)) * 1_000_000n;
  const units = new Map<string, Container[]>();
  for (const container of containers) {
    if (container.state === ContainerState.CONTAINER_RUNNING || container.createdAt > youngest) continue;
    const kind = container.state === ContainerState.CONTAINER_CREATED ? 'created' : 'ended';
    const key = `${podUidOf(container)}/${container.metadata?.name ?? ''}/${kind}`;
    const unit = units.get(key);
    if (unit === undefined) units.set(key, [container]);
    else unit.push(container);
  }
  return [...units.values()].map((unit) => unit.sort(newestFirst));
}

function newestFirst(a: { readonly createdAt: bigint }, b: { readonly createdAt: bigint }): number {
  return a.createdAt > b.createdAt ? -1 : a.createdAt < b.createdAt ? 1 : 0;
}
