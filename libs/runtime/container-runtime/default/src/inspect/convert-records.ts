import type { RuntimeContainer, RuntimeContainerState, RuntimeSandbox } from '@podwright/container-runtime-interface';
import type { Container, ContainerStatus, PodSandbox } from '@podwright/cri-client-interface';
import { containerNameLabel, ContainerState, PodSandboxState } from '@podwright/cri-client-interface';
import { hashOf } from '../pod-records/labels.js';

export function toContainerState(state: ContainerState): RuntimeContainerState {
  switch (state) {
    case ContainerState.CONTAINER_CREATED:
      return 'created';
    case ContainerState.CONTAINER_RUNNING:
      return 'running';
    case ContainerState.CONTAINER_EXITED:
      return 'exited';
    default:
      return 'unknown';
  }
}

/** The fields that list and status answers have in common. */
export function toRuntimeContainer(record: Container | ContainerStatus, podSandboxId: string): RuntimeContainer {
  return {
    id: record.id,
    name: record.labels[containerNameLabel] ?? record.metadata?.name ?? '',
    podSandboxId,
    state: toContainerState(record.state),
    createdAt: record.createdAt,
    image: record.image?.image ?? '',
    imageRef: record.imageRef,
    imageId: record.imageId === '' ? record.imageRef : record.imageId,
    hash: hashOf(record.annotations),
  };
}

export function toRuntimeSandbox(sandbox: PodSandbox): RuntimeSandbox {
  return {
    id: sandbox.id,
    ready: sandbox.state === PodSandboxState.SANDBOX_READY,
    attempt: sandbox.metadata?.attempt ?? 0,
    createdAt: sandbox.createdAt,
  };
}
