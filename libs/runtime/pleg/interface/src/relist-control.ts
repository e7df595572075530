import { createToken } from '@podwright/assembly-interface';

/** Optional ability: one pod can be looked at out of turn. */
export interface RelistControl {
  /**
   * Asks for a fresh look at one pod, soon. Requests for a pod that wait are merged; one that is older than the last
   * full relist is dropped. Never throws, never blocks. Source: gate PLEGOnDemandRelist, kubernetes v1.36.
   */
  requestRelist(podUid: string): void;
}

export const RELIST_CONTROL = createToken<RelistControl>('kubelet.pleg.relist-control/v1');
