import { createToken } from '@podwright/assembly-interface';
import type { RuntimePodStatus } from '@podwright/container-runtime-interface';

/** Reads the latest runtime status of pods. Times are `monotonic()` of the injected clock, in milliseconds. */
export interface PodCache {
  /** The latest status; an empty one for an unknown pod. Throws the error of the last inspection when that failed. */
  get(podUid: string): RuntimePodStatus;
  /**
   * Resolves with a status observed after `minTimeMs`: at once when the entry, or the whole cache, is newer, else as
   * soon as it is. Rejects with the inspection's error, or with the signal's reason. `-Infinity` accepts any status
   * once the cache has been written.
   */
  getNewerThan(podUid: string, minTimeMs: number, signal: AbortSignal): Promise<RuntimePodStatus>;
}

/**
 * Writes the pod cache. Only the pod relist holds it: periodic, evented and on-demand relists all write through it.
 * Source: kubernetes v1.36 pkg/kubelet/container/cache.go.
 */
export interface PodCacheWriter {
  /** `observedAtMs` is the time just before the call to the runtime. Ignores an observation older than the entry. */
  set(
    podUid: string,
    outcome: { readonly status: RuntimePodStatus } | { readonly error: unknown },
    observedAtMs: number,
  ): void;
  /**
   * Marks the pod's entry as still true at `observedAtMs`. For a pod without an entry, which was absent then, readers
   * that wait get an empty status, and the cache stores nothing.
   */
  confirm(podUid: string, observedAtMs: number): void;
  delete(podUid: string): void;
  /**
   * Marks the whole cache as true at `timeMs`, after a full relist. Pods in `except` keep their age, because their
   * inspection is due, running or has failed.
   */
  advance(timeMs: number, except?: ReadonlySet<string>): void;
}

export const POD_CACHE = createToken<PodCache>('kubelet.pod-cache/v1');
export const POD_CACHE_WRITER = createToken<PodCacheWriter>('kubelet.pod-cache-writer/v1');
