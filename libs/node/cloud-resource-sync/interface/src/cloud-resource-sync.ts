import { createToken, type Lifecycle } from '@podwright/assembly-interface';
import type { NodeAddress } from '@podwright/kube-types';

/**
 * What an external cloud provider says about this node, through the Node object: addresses, provider ID, and the taint
 * `node.cloudprovider.kubernetes.io/uninitialized` that it takes away when it has done its part. Where no provider is
 * expected, the Node speaks for itself as soon as it is registered.
 */
export interface CloudResourceSync extends Lifecycle {
  /**
   * Waits for the provider's first answer, with a deadline. Rejects with `unavailable` and what to look at when none came, or
   * on the signal. May be called again; while an answer is there it is given at once.
   */
  nodeAddresses(signal: AbortSignal): Promise<readonly NodeAddress[]>;
  /** The provider has taken its taint away. */
  initialized(): boolean;
}

export const CLOUD_RESOURCE_SYNC = createToken<CloudResourceSync>('kubelet.cloud-resource-sync/v1');
