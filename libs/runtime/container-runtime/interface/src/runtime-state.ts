import { createToken, type Lifecycle } from '@podwright/assembly-interface';
import type { RuntimeFeatures, RuntimeHandler } from '@podwright/cri-client-interface';

/**
 * Whether the runtime is usable: polls its Status every 5 s. `start()` waits for the first poll, but also resolves when
 * the runtime does not answer.
 * Source: kubernetes v1.36 pkg/kubelet/runtime.go, kubelet.go updateRuntimeUp.
 */
export interface RuntimeState extends Lifecycle {
  /** Why no pod may be synced, in upstream's words; empty when the runtime is usable. */
  runtimeErrors(): readonly string[];
  /** Why pods without host network must wait; empty when the network is ready. */
  networkErrors(): readonly string[];
  /** Handlers of the last successful poll; {@link features} is from the same. */
  handlers(): readonly RuntimeHandler[];
  features(): RuntimeFeatures | undefined;
  /**
   * Adds a check to {@link runtimeErrors}, such as the health of the pleg. It returns an error text, or undefined when
   * healthy. Returns a function that removes the check.
   */
  addHealthCheck(name: string, check: () => string | undefined): () => void;
  /** Calls `listener` each time the runtime or network errors change. Returns unsubscribe. */
  watch(listener: () => void): () => void;
}

export const RUNTIME_STATE = createToken<RuntimeState>('kubelet.runtime-state/v1');

/** Optional ability of a {@link RuntimeState}: polls the runtime at once, so that a node becomes ready sooner. */
export interface RuntimeStateRefresh {
  /** Resolves when the state has the result of the poll; joins a poll that is running. Never rejects. */
  refresh(): Promise<void>;
}

export const RUNTIME_STATE_REFRESH = createToken<RuntimeStateRefresh>('kubelet.runtime-state.refresh/v1');
