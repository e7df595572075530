import { createToken } from '@podwright/assembly-interface';
import type { Container, Pod } from '@podwright/kube-types';

export interface HookOptions {
  /** How long this hook has run in an earlier life of the kubelet, in milliseconds; a sleep lasts that much less. */
  readonly elapsedMs?: number;
}

/** Source: kubernetes v1.36 pkg/kubelet/lifecycle/handlers.go. */
export interface LifecycleHooks {
  /**
   * Runs the handler of one container, at once and for as long as it takes: only `signal` bounds it. Resolves also for
   * a container without that hook. Rejects with the message that the waiting state shows; it may hold what the
   * container wrote, so events must not show it. Works for regular containers and sidecars alike.
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
