import { createToken, type Lifecycle } from '@podwright/assembly-interface';
import type { RuntimeFeatures, RuntimeHandler } from '@podwright/cri-client-interface';

/**
 * Whether the runtime is usable, from its Status polled every 5 s; the only writer of this state.
 * Source: kubernetes v1.36 pkg/kubelet/runtime.go, kubelet.go updateRuntimeUp.
 */
export interface RuntimeState extends Lifecycle {
  /** Reasons why pods must not be synced at all; empty when all is well. Texts are upstream's. */
  runtimeErrors(): readonly string[];
  /** Reasons why pods without host network must wait; empty when the network is ready. */
  networkErrors(): readonly string[];
  /** Handlers and features of the last good status. */
  handlers(): readonly RuntimeHandler[];
  features(): RuntimeFeatures | undefined;
  /** Adds a source of runtime errors, such as the health of the pleg: text, or undefined when healthy. Returns remove. */
  addHealthCheck(name: string, check: () => string | undefined): () => void;
  /** Called each time the runtime or network errors change. Returns unsubscribe. */
  watch(listener: () => void): () => void;
}

export const RUNTIME_STATE = createToken<RuntimeState>('kubelet.runtime-state/v1');

/** Optional ability of a {@link RuntimeState}: a look at the runtime out of turn, for a node that wants to be ready soon. */
export interface RuntimeStateRefresh {
  /** Resolves when the answer is in the state; joins a look that is under way. Never rejects. */
  refresh(): Promise<void>;
}

export const RUNTIME_STATE_REFRESH = createToken<RuntimeStateRefresh>('kubelet.runtime-state.refresh/v1');
