import { createToken, type Lifecycle } from '@podwright/assembly-interface';
import type { NodeAddress } from '@podwright/kube-types';

/**
 * Waits for an external cloud provider to initialize this node. The provider sets addresses and provider ID on the Node
 * object, then removes the taint `node.cloudprovider.kubernetes.io/uninitialized`. Where no provider is configured, the
 * node counts as initialized as soon as it is registered.
 */
export interface CloudResourceSync extends Lifecycle {
  /**
   * Resolves with the node's addresses once the provider has set them, at once when they are known. Rejects on the
   * signal, or after a time limit with `unavailable` and a message that says what to check.
   */
  nodeAddresses(signal: AbortSignal): Promise<readonly NodeAddress[]>;
  /** True when the Node exists without the provider's taint. */
  initialized(): boolean;
}

export const CLOUD_RESOURCE_SYNC = createToken<CloudResourceSync>('kubelet.cloud-resource-sync/v1');
