import type { RuntimePodStatus } from '@podwright/container-runtime-interface';
import type { Container, Pod, PodStatus } from '@podwright/kube-types';
import { matchingRestartRule } from '@podwright/kube-types';
import type { ContainerReset } from './pod-actions.js';

/** True while a container's rule requires an in-place restart of the whole pod. */
export function isRestartAllPending(apiStatus: PodStatus): boolean {
  return (apiStatus.conditions ?? []).some(
    ({ type, status }) => type === 'AllContainersRestarting' && status === 'True',
  );
}

/**
 * All records to remove. The container whose exit caused the restart comes last, so that its record still shows the
 * cause when the kubelet dies in between. Source: kubernetes v1.36, gate RestartAllContainersOnContainerExits.
 */
export function computeContainersToReset(pod: Pod, status: RuntimePodStatus): readonly ContainerReset[] {
  const resetsOf = (containers: readonly Container[], wantSource: boolean): ContainerReset[] =>
    containers.flatMap((container) =>
      status.containers
        .filter((record) => record.name === container.name)
        .filter((record) => {
          const rule = record.state === 'exited' ? matchingRestartRule(container, record.exitCode) : undefined;
          return (rule?.action === 'RestartAllContainers') === wantSource;
        })
        .map((record) => ({ container, record })),
    );
  const { containers, initContainers = [] } = pod.spec;
  return [
    ...resetsOf(containers, false),
    ...resetsOf(initContainers, false),
    ...resetsOf(containers, true),
    ...resetsOf(initContainers, true),
  ];
}
