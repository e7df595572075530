import { KubeletError } from '@podwright/errors';
import { isSidecar, type Container, type Pod } from '@podwright/kube-types';
import type { MemoryAmounts } from '../memory-amounts.js';

export interface PodShare {
  readonly container: string;
  readonly amounts: MemoryAmounts;
  readonly type: 'pod_exclusive' | 'pod_shared';
}

export type AmountsOf = (container: Container) => MemoryAmounts;

/**
 * Throws the rejection of a pod whose exclusive containers would leave no memory to its other containers.
 * Source: kubernetes v1.36 pkg/kubelet/cm/memorymanager/policy_static.go validatePodScopeResources.
 */
export function checkPodPool({ spec }: Pod, total: MemoryAmounts, amountsOf: AmountsOf): void {
  const exclusive = new Map<string, number>();
  const used = (): string | undefined => [...total].find(([name, bytes]) => (exclusive.get(name) ?? 0) >= bytes)?.[0];
  const add = (amounts: MemoryAmounts): void => {
    for (const [name, bytes] of amounts) exclusive.set(name, (exclusive.get(name) ?? 0) + bytes);
  };
  let hasShared = false;
  for (const container of spec.initContainers ?? []) {
    const own = amountsOf(container);
    if (!isSidecar(container)) {
      const empty = own.size === 0 ? used() : undefined;
      if (empty !== undefined)
        throw refusal(`pod rejected, pod has shared init containers but no ${empty} available for them`);
    } else if (own.size === 0) hasShared = true;
    else add(own);
  }
  for (const container of spec.containers) {
    const own = amountsOf(container);
    if (own.size === 0) hasShared = true;
    else add(own);
  }
  const empty = hasShared ? used() : undefined;
  if (empty !== undefined)
    throw refusal(
      `pod rejected, sum of exclusive container ${empty} requests equals pod budget, leaving no memory for shared containers`,
    );
}

/** Divides the pod's memory among its containers. Source: kubernetes v1.36, as above, AllocatePod. */
export function partitionPod({ spec }: Pod, total: MemoryAmounts, amountsOf: AmountsOf): readonly PodShare[] {
  const given = new Map<string, PodShare>();
  let left = total;
  for (const container of spec.initContainers ?? []) {
    const { name } = container;
    const own = amountsOf(container);
    if (own.size > 0) {
      given.set(name, { container: name, amounts: own, type: 'pod_exclusive' });
      if (isSidecar(container)) left = minus(left, own);
    } else if (!isSidecar(container)) given.set(name, { container: name, amounts: left, type: 'pod_shared' });
  }
  for (const container of spec.containers) {
    const own = amountsOf(container);
    if (own.size === 0) continue;
    given.set(container.name, { container: container.name, amounts: own, type: 'pod_exclusive' });
    left = minus(left, own);
  }
  return [...(spec.initContainers ?? []), ...spec.containers].map(
    ({ name }) => given.get(name) ?? { container: name, amounts: left, type: 'pod_shared' },
  );
}

function minus(from: MemoryAmounts, amounts: MemoryAmounts): MemoryAmounts {
  return new Map([...from].map(([name, bytes]) => [name, Math.max(0, bytes - (amounts.get(name) ?? 0))]));
}

function refusal(message: string): KubeletError {
  return new KubeletError(message, { code: 'resource-exhausted', reason: 'EmptyPodSharedPoolError' });
}
