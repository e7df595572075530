import { createToken } from '@podwright/assembly-interface';

/** Optional ability of an evented pleg: vouches that the pod cache is still true, which saves a relist of the pod. */
export interface CacheVouching {
  /**
   * Marks the pod's cache entry as true now, so that a reader that waits for a newer status gets it. `settledAtMs`
   * (monotonic milliseconds) is when the pod's last sync ended; it must have succeeded, a relist must have shown its
   * changes, and nothing may have been requested for the pod since.
   *
   * Returns false and does nothing when the cache may be outdated: the stream is not `proven`; it may have stalled
   * since `settledAtMs`; an event has reported a change that no relist has shown yet; or the pod is unknown, or its
   * inspection is due, running or has failed. The caller should then request a relist of the pod. Never throws, never
   * blocks.
   *
   * Returning true does not hide a lost event: the periodic relist still finds it.
   */
  vouch(podUid: string, settledAtMs: number): boolean;
}

export const CACHE_VOUCHING = createToken<CacheVouching>('kubelet.evented-pleg.cache-vouching/v1');
