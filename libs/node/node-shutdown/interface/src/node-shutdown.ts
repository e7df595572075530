import { createToken, type Lifecycle } from '@podwright/assembly-interface';

/**
 * Ends the pods of the node in order of their priority before the machine goes down. `start()` resolves also where
 * nothing announces a shutdown; the reason is logged. New pods are refused from the announcement on (admission stage
 * `node-shutdown`). Source: kubernetes v1.36 pkg/kubelet/nodeshutdown.
 */
export interface NodeShutdownManager extends Lifecycle {
  /** True from the announcement until it is taken back. */
  isShuttingDown(): boolean;
  /** Text for the Ready condition (`node is shutting down`), undefined when all is well. */
  shutdownError(): string | undefined;
  /** Called when that changes: the node status wants to be sent at once. Must not throw. Returns unsubscribe. */
  watch(listener: (shuttingDown: boolean) => void): () => void;
  /**
   * The process got SIGTERM. Resolves at once where pods are to keep running (the default, and upstream's behaviour);
   * where an operator chose otherwise, when the pods have ended as in a shutdown. Never rejects; a second call gets the
   * promise of the first.
   */
  handleTermination(): Promise<void>;
}

export const NODE_SHUTDOWN_MANAGER = createToken<NodeShutdownManager>('kubelet.node-shutdown-manager/v1');
