import { createToken, type Lifecycle } from '@podwright/assembly-interface';

/**
 * One kind of memory about a pod, owned by one manager. `decode` reads what an earlier process wrote and must not trust
 * it: undefined means that it is unusable, which is the same as none.
 */
export interface PodMemoryPart<T> {
  /** Unique, such as `pod-workers.termination`. */
  readonly name: string;
  readonly decode: (json: unknown) => T | undefined;
}

/**
 * What must be known about each pod after the kubelet was killed and started again, and that neither the runtime nor the
 * API server can tell: probe results, back-offs, the moment at which a termination began, hooks that were started. Each
 * manager keeps its own part and asks for it again when it meets the pod. It holds for a process, not for a machine:
 * containers do not survive a power cut either. Upstream (v1.36) has nothing like it.
 */
export interface PodMemory extends Lifecycle {
  /** What was kept last, by this process or an earlier one. Usable as soon as `start()` has resolved. */
  recall<T>(podUid: string, part: PodMemoryPart<T>): T | undefined;
  /**
   * Replaces one part; undefined removes it. At once visible to `recall`. Resolves when a kill -9 can no longer take it
   * away; calls in quick succession share a write. Never rejects: a disk that refuses is logged, and the next call tries again.
   */
  keep<T>(podUid: string, part: PodMemoryPart<T>, value: T | undefined): Promise<void>;
  /** Removes everything about the pod. Resolves when it is gone from the disk; never rejects. */
  forget(podUid: string): Promise<void>;
  /** UIDs with any memory, in no particular order. */
  podUids(): readonly string[];
}

export const POD_MEMORY = createToken<PodMemory>('kubelet.pod-memory/v1');
