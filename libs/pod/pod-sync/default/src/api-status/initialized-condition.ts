import { isSidecar, type Pod, type PodCondition, type PodStatus } from '@podwright/kube-types';

/**
 * Generates the Initialized condition; `wasTrue`: it was True before. Source: kubernetes v1.36
 * pkg/kubelet/status/generate.go GeneratePodInitializedCondition.
 */
export function initializedCondition(pod: Pod, status: PodStatus, wasTrue: boolean): PodCondition {
  const type = 'Initialized';
  const init = pod.spec.initContainers ?? [];
  const statuses = status.initContainerStatuses ?? [];
  if (init.length > 0 && status.initContainerStatuses === undefined && status.containerStatuses === undefined) {
    return { type, status: 'False', reason: 'UnknownContainerStatuses' };
  }
  const byName = new Map(statuses.map((container) => [container.name, container]));
  const unknown = init.filter(({ name }) => !byName.has(name)).map(({ name }) => name);
  if (status.phase === 'Succeeded' && unknown.length === 0) return { type, status: 'True', reason: 'PodCompleted' };
  // A pod whose regular containers have run is initialized, even if the records of its init containers are gone.
  const hasRun = (status.containerStatuses ?? []).some(
    ({ state }) => state?.running !== undefined || state?.terminated !== undefined,
  );
  if (hasRun || wasTrue) return { type, status: 'True' };
  const incomplete = init.filter((container) => {
    const found = byName.get(container.name);
    return found !== undefined && !(isSidecar(container) ? found.started === true : found.ready);
  });
  if (unknown.length === 0 && incomplete.length === 0) return { type, status: 'True' };
  const parts = [
    ...(unknown.length > 0 ? [`containers with unknown status: [${unknown.join(' ')}]`] : []),
    ...(incomplete.length > 0
      ? [`containers with incomplete status: [${incomplete.map(({ name }) => name).join(' ')}]`]
      : []),
  ];
  return { type, status: 'False', reason: 'ContainersNotInitialized', message: parts.join(', ') };
}
