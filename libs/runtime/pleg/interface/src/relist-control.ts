import { createToken } from '@podwright/assembly-interface';

export interface RelistOptions {
  /**
   * True: inspects the pod even when the list shows no change, because lists do not show everything, such as the
   * containers' resources. Reports one PodSync when nothing else has changed. Default false.
   */
  readonly inspect?: boolean;
  /**
   * True: the caller waits for the pod's status and can wait about a second. A pleg that relists every second ignores
   * such a request, but for `inspect`: the next relist inspects the pod then. Default false.
   */
  readonly patient?: boolean;
  /**
   * The caller waits for a status of the pod that is newer than this monotonic() time, so a relist or inspection under
   * way that began later will do. Default: the time of the request.
   */
  readonly newerThanMs?: number;
}

/** Optional ability: relists one pod on request. */
export interface RelistControl {
  /**
   * Requests a relist of one pod soon. Waiting requests for one pod are merged; a relist that began after a
   * request replaces it. Never throws, never blocks. Source: gate PLEGOnDemandRelist, kubernetes v1.36.
   */
  requestRelist(podUid: string, options?: RelistOptions): void;
}

export const RELIST_CONTROL = createToken<RelistControl>('kubelet.pleg.relist-control/v1');
