import type { ContainerState, ContainerStatus, Pod, PodCondition, PodStatus } from '@podwright/kube-types';

// Bytes of termination messages that one pod may carry (kubernetes v1.36 pkg/kubelet/container/runtime.go).
const maxTerminationBytes = 12288;

/** Cuts what the API does not keep: fractions of seconds are never made here, long termination messages are cut. */
export function normalizeStatus(pod: Pod, status: PodStatus): PodStatus {
  const { containers, initContainers = [], ephemeralContainers = [] } = pod.spec;
  const limit = Math.floor(maxTerminationBytes / Math.max(1, containers.length + initContainers.length + ephemeralContainers.length));
  const cut = (container: ContainerStatus): ContainerStatus => ({
    ...container,
    ...(container.state && { state: cutMessage(container.state, limit) }),
    ...(container.lastState && { lastState: cutMessage(container.lastState, limit) }),
  });
  return {
    ...status,
    ...(status.containerStatuses && { containerStatuses: status.containerStatuses.map(cut) }),
    ...(status.initContainerStatuses && { initContainerStatuses: status.initContainerStatuses.map(cut) }),
    ...(status.ephemeralContainerStatuses && { ephemeralContainerStatuses: status.ephemeralContainerStatuses.map(cut) }),
  };
}

function cutMessage(state: ContainerState, limit: number): ContainerState {
  const message = state.terminated?.message;
  if (state.terminated === undefined || message === undefined || message.length <= limit) return state;
  return { ...state, terminated: { ...state.terminated, message: message.slice(0, limit) } };
}

/** Gives each condition its transition time: the old one while the value is the same, else `now`. */
export function stampConditions(conditions: readonly PodCondition[], previous: readonly PodCondition[], now: string): readonly PodCondition[] {
  return conditions.map((condition) => {
    const old = previous.find(({ type }) => type === condition.type);
    // Resize conditions tell their story in the reason, not in the value.
    const resize = condition.type === 'PodResizePending' || condition.type === 'PodResizeInProgress';
    const same = old !== undefined && (resize ? old.reason === condition.reason : old.status === condition.status);
    const lastTransitionTime = (same ? old.lastTransitionTime : undefined) ?? condition.lastTransitionTime ?? now;
    return { ...condition, lastTransitionTime };
  });
}
