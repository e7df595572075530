import { createToken, type HealthReporter } from '@podwright/assembly-interface';
import type { Pod } from '@podwright/kube-types';

/** What the loop calls for each kind of input. Source: kubernetes v1.36 pkg/kubelet/kubelet.go SyncHandler. */
export interface SyncHandler {
  handlePodAdditions(pods: readonly Pod[]): Promise<void>;
  handlePodUpdates(pods: readonly Pod[]): void;
  handlePodRemoves(pods: readonly Pod[]): void;
  handlePodReconcile(pods: readonly Pod[]): void;
  handlePodSyncs(pods: readonly Pod[]): void;
  /** Housekeeping. Resolves when the pass has ended; failures are logged inside. */
  handlePodCleanups(): Promise<void>;
}

export interface RunOnceOptions {
  /** Gives up on pods that are not running or done after this time. */
  readonly timeoutMs: number;
}

export interface RunOnceResult {
  readonly pod: Pod;
  /** Absent when the pod runs or has succeeded. */
  readonly error?: string;
}

/**
 * How the program starts the node's work, once the assembly has started its managers (garbage collection and servers
 * among them). Source: kubernetes v1.36 pkg/kubelet/kubelet.go Bootstrap.
 */
export interface Bootstrap extends HealthReporter {
  /** Event Starting on the node. */
  birthCry(): void;
  /** Runs until the signal aborts, then resolves after the last iteration; containers keep running. */
  run(signal: AbortSignal): Promise<void>;
  /** Starts the pods of all sources once, waits for them to run or end, and returns. */
  runOnce(options: RunOnceOptions): Promise<readonly RunOnceResult[]>;
}

export const SYNC_HANDLER = createToken<SyncHandler>('kubelet.sync-handler/v1');
export const BOOTSTRAP = createToken<Bootstrap>('kubelet.bootstrap/v1');
