import { createToken } from '@podwright/assembly-interface';
import type { ContainerConfig, DeepPartial } from '@podwright/cri-client-interface';
import type { Container, Pod } from '@podwright/kube-types';

/**
 * Where managers of CPUs, memory nodes and devices take part in the life of a container.
 * Source: kubernetes v1.36 pkg/kubelet/cm/internal_container_lifecycle.go.
 */
export interface InternalContainerLifecycle {
  /** Resolves with what the runtime is told, as it was or changed. A rejection fails the start: PreCreateHookError. */
  preCreateContainer(
    pod: Pod,
    container: Container,
    config: DeepPartial<ContainerConfig>,
  ): Promise<DeepPartial<ContainerConfig>>;
  /** The container has its id and does not run yet. A rejection fails the start: PreStartHookError. */
  preStartContainer(pod: Pod, container: Container, containerId: string): Promise<void>;
  /** The container does not run any more, or never did; may come more than once. A rejection keeps its record. */
  postStopContainer(containerId: string): Promise<void>;
}

/** Optional: without a provider nobody takes part. */
export const INTERNAL_CONTAINER_LIFECYCLE = createToken<InternalContainerLifecycle>(
  'kubelet.internal-container-lifecycle/v1',
);
