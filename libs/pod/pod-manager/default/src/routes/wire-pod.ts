import type { Container, ContainerState, ContainerStatus, Pod, PodStatus } from '@podwright/kube-types';

/**
 * An item of `/pods`, without its type, with the fields that Go writes also when they are not set: those of structures
 * and times. Source: kubernetes v1.36 staging/src/k8s.io/api/core/v1/types.go.
 */
export function wirePod({ metadata, spec }: Pod, status: PodStatus = {}): object {
  const { initContainers, containers, ephemeralContainers } = spec;
  return {
    metadata,
    spec: {
      ...spec,
      ...(initContainers && { initContainers: initContainers.map(wireContainer) }),
      containers: containers.map(wireContainer),
      ...(ephemeralContainers && { ephemeralContainers: ephemeralContainers.map(wireContainer) }),
    },
    status: wireStatus(status),
  };
}

const wireContainer = <C extends Pick<Container, 'resources'>>(container: C): C =>
  container.resources === undefined ? { ...container, resources: {} } : container;

function wireStatus(status: PodStatus): object {
  const { conditions, initContainerStatuses, containerStatuses, ephemeralContainerStatuses } = status;
  return {
    ...status,
    ...(conditions && {
      conditions: conditions.map((condition) => ({ lastProbeTime: null, lastTransitionTime: null, ...condition })),
    }),
    ...(initContainerStatuses && { initContainerStatuses: initContainerStatuses.map(wireContainerStatus) }),
    ...(containerStatuses && { containerStatuses: containerStatuses.map(wireContainerStatus) }),
    ...(ephemeralContainerStatuses && {
      ephemeralContainerStatuses: ephemeralContainerStatuses.map(wireContainerStatus),
    }),
  };
}

const wireContainerStatus = (status: ContainerStatus): object => ({
  ...status,
  state: wireState(status.state),
  lastState: wireState(status.lastState),
});

const wireState = ({ running, terminated, ...state }: ContainerState = {}): object => ({
  ...state,
  ...(running && { running: { startedAt: null, ...running } }),
  ...(terminated && { terminated: { startedAt: null, finishedAt: null, ...terminated } }),
});
