import {
  matchingRestartRule,
  restartsAfterExit,
  type Container,
  type ContainerStatus,
  type Pod,
  type PodStatus,
} from '@podwright/kube-types';

/** The status of a created container: among the regular containers, else among the init containers. */
export function probedStatus(status: PodStatus, container: string): ContainerStatus | undefined {
  return [status.containerStatuses, status.initContainerStatuses]
    .map((list) => list?.find(({ name }) => name === container))
    .find((found) => found?.containerID !== undefined && found.containerID !== '');
}

/** Whether a container that is not running will run again: it waits, restarts, or all containers of its pod restart. */
export function comesBack(pod: Pod, container: Container, status: PodStatus, { state }: ContainerStatus): boolean {
  const exitCode = state?.terminated?.exitCode;
  return exitCode === undefined || restartsAfterExit(pod, container, exitCode) || allContainersRestart(pod, status);
}

function allContainersRestart(pod: Pod, status: PodStatus): boolean {
  if (status.conditions?.some(({ type, status: value }) => type === 'AllContainersRestarting' && value === 'True')) {
    return true;
  }
  const exitCodes = new Map(
    [...(status.initContainerStatuses ?? []), ...(status.containerStatuses ?? [])].map((one) => [
      one.name,
      one.state?.terminated?.exitCode,
    ]),
  );
  return [...(pod.spec.initContainers ?? []), ...pod.spec.containers].some((container) => {
    const exitCode = exitCodes.get(container.name);
    return exitCode !== undefined && matchingRestartRule(container, exitCode)?.action === 'RestartAllContainers';
  });
}
