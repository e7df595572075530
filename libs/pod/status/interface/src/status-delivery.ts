import { createToken } from '@podwright/assembly-interface';

/** Optional ability of a status manager: tells when what it holds has reached whoever it is for. */
export interface StatusDelivery {
  /**
   * Resolves when the statuses that the pods have at the time of the call are delivered: accepted by the API server where
   * there is one, else kept on the disk. Rejects on the signal.
   */
  delivered(podUids: readonly string[], signal: AbortSignal): Promise<void>;
}

export const STATUS_DELIVERY = createToken<StatusDelivery>('kubelet.status-delivery/v1');
