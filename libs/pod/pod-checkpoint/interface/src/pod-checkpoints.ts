import { createToken, type Lifecycle } from '@podwright/assembly-interface';

/**
 * One manager's part of a pod's checkpoint. `decode` reads what an earlier process wrote and must validate it. It
 * returns undefined for an unusable value, which then counts as absent.
 */
export interface PodCheckpointPart<T> {
  /** Unique, such as `pod-workers.termination`. */
  readonly name: string;
  readonly decode: (json: unknown) => T | undefined;
}

/**
 * Stores per pod what the kubelet must know after it was killed and restarted, and cannot learn from the runtime or the
 * API server: probe results, back-offs, when a termination began, which hooks were started. Each manager writes its own
 * part and reads it when it sees the pod again. The data survives a kill of the process, but not necessarily a power
 * cut, as containers do not survive that either. Upstream (v1.36) has no equivalent.
 */
export interface PodCheckpoints extends Lifecycle {
  /**
   * The value written last, by this process or an earlier one; undefined when there is none. Call it after `start()`.
   */
  read<T>(podUid: string, part: PodCheckpointPart<T>): T | undefined;
  /**
   * Replaces one part; undefined removes it. `read` shows it at once. Resolves when the value survives a kill -9; calls
   * in quick succession share a write. Never rejects: a failed write is logged and tried again.
   */
  write<T>(podUid: string, part: PodCheckpointPart<T>, value: T | undefined): Promise<void>;
  /** Removes the pod's checkpoint. Resolves when it is gone from disk; never rejects. */
  remove(podUid: string): Promise<void>;
  /** UIDs of pods with a checkpoint, also with one that could not be removed from disk, in no particular order. */
  podUids(): readonly string[];
}

export const POD_CHECKPOINTS = createToken<PodCheckpoints>('kubelet.pod-checkpoints/v1');
