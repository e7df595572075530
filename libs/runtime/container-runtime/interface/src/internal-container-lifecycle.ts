import { createToken } from '@podwright/assembly-interface';
import type { ContainerConfig, DeepPartial } from '@podwright/cri-client-interface';
import type { Container, Pod } from '@podwright/kube-types';

/**
 * Hooks of the CPU, memory and device managers into the lifecycle of a container.
 * Source: kubernetes v1.36 pkg/kubelet/cm/internal_container_lifecycle.go.
 */
export interface InternalContainerLifecycle {
  /** Resolves with the config for the runtime, changed or not. A rejection fails the start with PreCreateHookError. */
  preCreateContainer(
    pod: Pod,
    container: Container,
    config: DeepPartial<ContainerConfig>,
  ): Promise<DeepPartial<ContainerConfig>>;
  /** Called when the container is created, but not started. A rejection fails the start with PreStartHookError. */
  preStartContainer(pod: Pod, container: Container, containerId: string): Promise<void>;
  /** Called, maybe repeatedly, when the container has ended or never ran. A rejection keeps its record. */
  postStopContainer(containerId: string): Promise<void>;
}

/** Require it as optional: without a provider no hooks run. */
export const INTERNAL_CONTAINER_LIFECYCLE = createToken<InternalContainerLifecycle>(
  'kubelet.internal-container-lifecycle/v1',
);
