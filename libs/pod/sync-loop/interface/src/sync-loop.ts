import { createToken, type HealthReporter } from '@podwright/assembly-interface';
import type { Pod, PodSource } from '@podwright/kube-types';

/** Handles each kind of input of the sync loop. Source: kubernetes v1.36 pkg/kubelet/kubelet.go SyncHandler. */
export interface SyncHandler {
  handlePodAdditions(pods: readonly Pod[]): Promise<void>;
  /** Resolves when the resizes that these updates request are decided, and the workers know the pods. */
  handlePodUpdates(pods: readonly Pod[]): Promise<void>;
  handlePodRemoves(pods: readonly Pod[]): void;
  handlePodReconcile(pods: readonly Pod[]): void;
  handlePodSyncs(pods: readonly Pod[]): void;
  /**
   * Runs one housekeeping pass. Resolves when it has ended, and logs failures. With `sources`, only these are ready yet:
   * the pass ends and restarts static pods of these sources, and leaves everything else alone.
   */
  handlePodCleanups(sources?: ReadonlySet<PodSource>): Promise<void>;
}

export interface RunOnceOptions {
  /** Time limit for all pods to run or end. */
  readonly timeoutMs: number;
}

export interface RunOnceResult {
  readonly pod: Pod;
  /** Absent when the pod runs or has succeeded. */
  readonly error?: string;
}

/**
 * Runs the sync loop: the app calls it once the assembly has started all managers, garbage collection and servers
 * included.
 * Source: kubernetes v1.36 pkg/kubelet/kubelet.go Bootstrap.
 */
export interface Bootstrap extends HealthReporter {
  /** Records the event Starting about the node. */
  birthCry(): void;
  /** Runs the loop until the signal aborts; resolves after the last iteration. Containers keep running. */
  run(signal: AbortSignal): Promise<void>;
  /**
   * Starts the pods of all sources once and waits for them to run or end. Rejects with `deadline-exceeded` when a
   * source has not delivered within the time limit.
   */
  runOnce(options: RunOnceOptions): Promise<readonly RunOnceResult[]>;
}

export const SYNC_HANDLER = createToken<SyncHandler>('kubelet.sync-handler/v1');
export const BOOTSTRAP = createToken<Bootstrap>('kubelet.bootstrap/v1');
