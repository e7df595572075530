import { createToken } from '@podwright/assembly-interface';

/** Optional ability of a status manager: reports when statuses have reached their destination. */
export interface StatusDelivery {
  /**
   * Resolves when the pods' statuses at the time of the call are delivered: accepted by the API server where there is
   * one, else stored on disk. Rejects on the signal.
   */
  delivered(podUids: readonly string[], signal: AbortSignal): Promise<void>;
}

export const STATUS_DELIVERY = createToken<StatusDelivery>('kubelet.status-delivery/v1');
