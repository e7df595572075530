import type { ClusterTrustBundles } from '@podwright/cluster-trust-bundle-interface';
import { injectable } from 'tsyringe';
import { notSupported } from './not-supported.js';

/** {@link ClusterTrustBundles} of a node without an API server: there are none, and it says so. */
@injectable()
export class StandaloneClusterTrustBundles implements ClusterTrustBundles {
  async start(): Promise<void> {
    // Nothing goes on.
  }

  async stop(): Promise<void> {
    // Nothing goes on.
  }

  async byName(): Promise<string> {
    throw notSupported();
  }

  async bySigner(): Promise<string> {
    throw notSupported();
  }
}

/** Without DI. */
export function createStandaloneClusterTrustBundles(): ClusterTrustBundles {
  return new StandaloneClusterTrustBundles();
}
