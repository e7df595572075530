import type { ClusterTrustBundles } from '@podwright/cluster-trust-bundle-interface';
import { notSupported } from './not-supported.js';

/** {@link ClusterTrustBundles} of a node without an API server: rejects every request. */
export class StandaloneClusterTrustBundles implements ClusterTrustBundles {
  async start(): Promise<void> {
    // Nothing to start.
  }

  async stop(): Promise<void> {
    // Nothing to stop.
  }

  async byName(): Promise<string> {
    throw notSupported();
  }

  async bySigner(): Promise<string> {
    throw notSupported();
  }
}
