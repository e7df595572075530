import { KubeletError } from '@podwright/errors';
import { isSidecar, type Container, type Pod } from '@podwright/kube-types';
import { cpuDifference, cpuUnion, type CpuSet } from '@podwright/machine';

export type AssignmentType = 'pod_exclusive' | 'pod_shared';

export interface PodShare {
  readonly container: string;
  readonly cpus: CpuSet;
  readonly type: AssignmentType;
}

/** Number of exclusive CPUs of a container in a pod with pod-level resources. */
export type CountOf = (container: Container) => number;

/**
 * Throws the rejection of a pod whose exclusive containers would leave no CPUs to its other containers.
 * Source: kubernetes v1.36 pkg/kubelet/cm/cpumanager/policy_static.go validatePodScopeResources.
 */
export function checkPodPool({ spec }: Pod, total: number, countOf: CountOf): void {
  let exclusive = 0;
  let hasShared = false;
  for (const container of spec.initContainers ?? []) {
    const own = countOf(container);
    if (!isSidecar(container)) {
      if (own === 0 && exclusive >= total)
        throw refusal('pod rejected, pod has shared init containers but no cpus available for them');
    } else if (own === 0) hasShared = true;
    else exclusive += own;
  }
  for (const container of spec.containers) {
    const own = countOf(container);
    if (own === 0) hasShared = true;
    else exclusive += own;
  }
  if (hasShared && exclusive >= total)
    throw refusal(
      'pod rejected, sum of exclusive container cpu requests equals pod budget, leaving no cpus for shared containers',
    );
}

/** Divides the pod's CPUs among its containers. Source: kubernetes v1.36, as above, AllocatePod. */
export function partitionPod(
  { spec }: Pod,
  whole: CpuSet,
  countOf: CountOf,
  take: (available: CpuSet, count: number) => CpuSet,
): readonly PodShare[] {
  const given = new Map<string, PodShare>();
  const give = ({ name }: Container, cpus: CpuSet, type: AssignmentType): void =>
    void given.set(name, { container: name, cpus, type });
  let sidecars: CpuSet = [];
  for (const container of spec.initContainers ?? []) {
    const count = countOf(container);
    const left = cpuDifference(whole, sidecars);
    if (count > 0) {
      const cpus = take(left, count);
      give(container, cpus, 'pod_exclusive');
      if (isSidecar(container)) sidecars = cpuUnion(sidecars, cpus);
    } else if (!isSidecar(container)) give(container, left, 'pod_shared');
  }
  let shared = cpuDifference(whole, sidecars);
  for (const container of spec.containers) {
    const count = countOf(container);
    if (count === 0) continue;
    const cpus = take(shared, count);
    give(container, cpus, 'pod_exclusive');
    shared = cpuDifference(shared, cpus);
  }
  return [...(spec.initContainers ?? []), ...spec.containers].map(
    ({ name }) => given.get(name) ?? { container: name, cpus: shared, type: 'pod_shared' },
  );
}

function refusal(message: string): KubeletError {
  return new KubeletError(message, { code: 'resource-exhausted', reason: 'EmptyPodSharedPoolError' });
}
