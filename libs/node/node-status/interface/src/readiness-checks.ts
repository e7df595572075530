import { createManyToken } from '@podwright/assembly-interface';

/**
 * Why the node is not Ready, for the message of the condition; undefined when nothing is wrong. Unlike a health check
 * of the runtime it holds up no pod that is on the node already. It must not throw. Source: kubernetes v1.36
 * pkg/kubelet/runtime.go storageErrors.
 */
export type ReadinessCheck = () => string | undefined;

/** Managers contribute the checks of what a node needs before it may be Ready, besides its runtime and network. */
export const READINESS_CHECKS = createManyToken<ReadinessCheck>('kubelet.readiness-checks/v1');
