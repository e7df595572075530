import {
  isSidecar,
  isStaticPod,
  isTerminalPhase,
  type ContainerStatus,
  type Pod,
  type PodStatus,
} from '@podwright/kube-types';

const lost = {
  terminated: {
    exitCode: 137,
    reason: 'ContainerStatusUnknown',
    message: 'The container could not be located when the pod was terminated',
  },
} as const;

/**
 * The final status of a pod: marks everything that could still look alive as ended. A static pod keeps its phase,
 * because its next incarnation has the same name. Source: kubernetes v1.36 pkg/kubelet/status/status_manager.go
 * TerminatePod.
 */
export function terminateStatus(pod: Pod, status: PodStatus): PodStatus {
  const initStatuses = status.initContainerStatuses ?? [];
  const lastStarted = Math.max(
    0,
    initStatuses.findLastIndex((container) => container.state?.waiting === undefined || hasEnded(container.lastState)),
  );
  const terminal = isTerminalPhase(status.phase);
  return {
    ...status,
    ...(status.containerStatuses && {
      containerStatuses: hasInitialized(pod) ? status.containerStatuses.map(ended) : status.containerStatuses,
    }),
    ...(status.initContainerStatuses && {
      initContainerStatuses: initStatuses.map((container, index) =>
        index <= lastStarted ? ended(container) : container,
      ),
    }),
    ...(!terminal && !isStaticPod(pod) && { phase: 'Failed' }),
  };
}

const hasEnded = (state: ContainerStatus['lastState']): boolean => state?.terminated !== undefined;
const ended = (container: ContainerStatus): ContainerStatus =>
  container.state?.terminated === undefined ? { ...container, state: lost } : container;

// By the API's status: containers that were never started keep their waiting state.
function hasInitialized(pod: Pod): boolean {
  const init = pod.spec.initContainers ?? [];
  if (init.length === 0) return true;
  const known = pod.status?.containerStatuses ?? [];
  if (known.some((container) => hasEnded(container.lastState) || container.state?.waiting === undefined)) return true;
  const lastStatus = (pod.status?.initContainerStatuses ?? []).at(-1);
  if (lastStatus === undefined) return false;
  const container = init.find(({ name }) => name === lastStatus.name);
  if (container !== undefined && isSidecar(container))
    return lastStatus.state?.running !== undefined && lastStatus.started === true;
  return lastStatus.state?.terminated?.exitCode === 0 || lastStatus.lastState?.terminated?.exitCode === 0;
}
