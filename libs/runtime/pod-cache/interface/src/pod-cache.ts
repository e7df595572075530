import { createToken } from '@podwright/assembly-interface';
import type { RuntimePodStatus } from '@podwright/container-runtime-interface';

/** Read side. Times are those of the injected clock's monotonic() in milliseconds. */
export interface PodCache {
  /** The newest status; an empty one for a pod that is not known. Throws the error that the last inspection ended with. */
  get(podUid: string): RuntimePodStatus;
  /**
   * Resolves with a status observed after `minTimeMs`: at once when the entry, or the whole cache, is newer, else as
   * soon as it is. Rejects with the inspection's error, or with the signal's reason. `-Infinity` takes anything but a
   * cache that has never been written.
   */
  getNewerThan(podUid: string, minTimeMs: number, signal: AbortSignal): Promise<RuntimePodStatus>;
}

/**
 * Write side. Only the pleg in charge holds it: generic, evented and on-demand relists go through the same writer.
 * Source: kubernetes v1.36 pkg/kubelet/container/cache.go.
 */
export interface PodCacheWriter {
  /** `observedAtMs` is the time before the runtime was asked. An older observation than the entry's is ignored. */
  set(
    podUid: string,
    outcome: { readonly status: RuntimePodStatus } | { readonly error: unknown },
    observedAtMs: number,
  ): void;
  /**
   * The entry was seen to be unchanged at `observedAtMs`. A pod without one was seen to be absent: who waits for it is
   * answered, nothing is kept.
   */
  confirm(podUid: string, observedAtMs: number): void;
  delete(podUid: string): void;
  /**
   * Everything not written since is known to be unchanged up to `timeMs` (a relist that found no difference), apart
   * from the pods in `except`: their inspection is due, under way or has failed, so they stay as old as they were.
   */
  advance(timeMs: number, except?: ReadonlySet<string>): void;
}

export const POD_CACHE = createToken<PodCache>('kubelet.pod-cache/v1');
export const POD_CACHE_WRITER = createToken<PodCacheWriter>('kubelet.pod-cache-writer/v1');
