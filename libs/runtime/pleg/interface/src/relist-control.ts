import { createToken } from '@podwright/assembly-interface';

export interface RelistOptions {
  /**
   * Inspect the pod even when the list shows nothing new, for what no list shows: resources of its containers. A pod in
   * which nothing else has changed gets one PodSync. Default false.
   */
  readonly inspect?: boolean;
  /**
   * Somebody waits for the pod's status, but not longer than a relist each second would let him. A pleg that lists that often
   * ignores such a request. Default false.
   */
  readonly patient?: boolean;
  /**
   * Monotonic milliseconds: the last sync of the pod ended then and went well, and nobody has asked for anything else since. What
   * such a sync has done was looked at after it. A pleg that is told of changes may therefore vouch for what it knows instead of
   * looking once more, for who is patient. Default: it has to look.
   */
  readonly settledAtMs?: number;
}

/** Optional ability: one pod can be looked at out of turn. */
export interface RelistControl {
  /**
   * Asks for a fresh look at one pod, soon. Requests for a pod that wait are merged; one that is older than the last
   * full relist is dropped. Never throws, never blocks. Source: gate PLEGOnDemandRelist, kubernetes v1.36.
   */
  requestRelist(podUid: string, options?: RelistOptions): void;
}

export const RELIST_CONTROL = createToken<RelistControl>('kubelet.pleg.relist-control/v1');
