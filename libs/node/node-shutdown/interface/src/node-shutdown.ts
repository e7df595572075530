import { createToken, type Lifecycle } from '@podwright/assembly-interface';

/**
 * Terminates the node's pods in order of priority before the machine shuts down. From the announcement of a shutdown on
 * it rejects new pods (admission stage `node-shutdown`). `start()` also resolves where no service announces shutdowns;
 * then the log says why. Source: kubernetes v1.36 pkg/kubelet/nodeshutdown.
 */
export interface NodeShutdownManager extends Lifecycle {
  /** True from the announcement of a shutdown until its cancellation. */
  isShuttingDown(): boolean;
  /** Text for the Ready condition (`node is shutting down`); undefined while the node does not shut down. */
  shutdownError(): string | undefined;
  /**
   * Calls `listener` when {@link isShuttingDown} changes, for instance to send the node status at once. It must not
   * throw. Returns unsubscribe.
   */
  watch(listener: (shuttingDown: boolean) => void): () => void;
  /**
   * Handles a SIGTERM of the kubelet. By default, as upstream, pods keep running and it resolves at once. Where the
   * operator configured it, it terminates the pods as in a shutdown and resolves when they have ended. Never rejects; a
   * second call gets the promise of the first.
   */
  handleTermination(): Promise<void>;
}

export const NODE_SHUTDOWN_MANAGER = createToken<NodeShutdownManager>('kubelet.node-shutdown-manager/v1');
