import type { ContainerState, ContainerStatus, Pod, PodCondition, PodStatus } from '@podwright/kube-types';

// Maximum bytes of a pod's termination messages together (kubernetes v1.36 pkg/kubelet/container/runtime.go).
const maxTerminationBytes = 12288;

/**
 * Converts a status to the form that the API stores: sorts lists (init containers in the order of the spec) and
 * truncates long termination messages. Times already have no fractions.
 */
export function normalizeStatus(pod: Pod, status: PodStatus): PodStatus {
  const { containers, initContainers = [], ephemeralContainers = [] } = pod.spec;
  const count = containers.length + initContainers.length + ephemeralContainers.length;
  const limit = Math.floor(maxTerminationBytes / Math.max(1, count));
  const cut = (container: ContainerStatus): ContainerStatus => ({
    ...container,
    ...(container.state && { state: cutMessage(container.state, limit) }),
    ...(container.lastState && { lastState: cutMessage(container.lastState, limit) }),
  });
  const place = new Map(initContainers.map(({ name }, index) => [name, index]));
  const bySpec = (left: ContainerStatus, right: ContainerStatus): number =>
    (place.get(left.name) ?? place.size) - (place.get(right.name) ?? place.size);
  const { containerStatuses, initContainerStatuses, ephemeralContainerStatuses } = status;
  return {
    ...status,
    ...(containerStatuses && { containerStatuses: containerStatuses.map(cut).sort(byName) }),
    ...(initContainerStatuses && { initContainerStatuses: initContainerStatuses.map(cut).sort(bySpec) }),
    ...(ephemeralContainerStatuses && {
      ephemeralContainerStatuses: ephemeralContainerStatuses.map(cut).sort(byName),
    }),
  };
}

const byName = (left: ContainerStatus, right: ContainerStatus): number => (left.name < right.name ? -1 : 1);

function cutMessage(state: ContainerState, limit: number): ContainerState {
  const { terminated } = state;
  if (terminated?.message === undefined || Buffer.byteLength(terminated.message) <= limit) return state;
  const { message } = terminated;
  // Omits a character that the limit would cut in two.
  const { written } = new TextEncoder().encodeInto(message, new Uint8Array(limit));
  return { ...state, terminated: { ...terminated, message: Buffer.from(message).toString('utf8', 0, written) } };
}

/** Sets the transition time of each condition: the old one while the value is the same, else `now`. */
export function stampConditions(
  conditions: readonly PodCondition[],
  previous: readonly PodCondition[],
  now: string,
): readonly PodCondition[] {
  return conditions.map((condition) => {
    const old = previous.find(({ type }) => type === condition.type);
    // A resize condition changes in its reason, not in its value.
    const resize = condition.type === 'PodResizePending' || condition.type === 'PodResizeInProgress';
    const same = old !== undefined && (resize ? old.reason === condition.reason : old.status === condition.status);
    const lastTransitionTime = (same ? old.lastTransitionTime : undefined) ?? condition.lastTransitionTime ?? now;
    return { ...condition, lastTransitionTime };
  });
}
