import { createToken } from '@podwright/assembly-interface';
import type { Container, Pod } from '@podwright/kube-types';

export interface HookOptions {
  /** How long this hook has already run in an earlier kubelet process, in milliseconds; shortens a sleep. */
  readonly elapsedMs?: number;
}

/** Runs the postStart and preStop hooks of containers. Source: kubernetes v1.36 pkg/kubelet/lifecycle/handlers.go. */
export interface LifecycleHooks {
  /**
   * Runs the hook of one regular container or sidecar; only `signal` limits its time. Resolves at once for a container
   * without that hook. Rejects with the message for the container's waiting state. That message may contain output of
   * the container, so no event may show it.
   */
  run(
    hook: 'postStart' | 'preStop',
    pod: Pod,
    container: Container,
    containerId: string,
    signal: AbortSignal,
    options?: HookOptions,
  ): Promise<void>;
}

export const LIFECYCLE_HOOKS = createToken<LifecycleHooks>('kubelet.lifecycle-hooks/v1');
