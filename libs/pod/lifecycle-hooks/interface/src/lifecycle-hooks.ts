import { createToken } from '@podwright/assembly-interface';
import type { Container, Pod } from '@podwright/kube-types';

/** Source: kubernetes v1.36 pkg/kubelet/lifecycle/handlers.go. */
export interface LifecycleHooks {
  /** Runs the handler of one container; rejects with the message that the event and the waiting state show. */
  run(
    hook: 'postStart' | 'preStop',
    pod: Pod,
    container: Container,
    containerId: string,
    signal: AbortSignal,
  ): Promise<void>;
}

export const LIFECYCLE_HOOKS = createToken<LifecycleHooks>('kubelet.lifecycle-hooks/v1');
