import { describe, expect, it } from '@jest/globals';
import type { ClusterTrustBundle } from '../cluster-trust-bundle.js';

/** One fresh instance and the means to drive what it depends on. */
export interface ClusterTrustBundleHarness {
  readonly clusterTrustBundle: ClusterTrustBundle;
}

/** Every implementation of {@link ClusterTrustBundle} passes this suite; `create` gives a new instance per case. */
export function describeClusterTrustBundleContract(
  name: string,
  create: () => Promise<ClusterTrustBundleHarness>,
): void {
  describe(`${name} as a ClusterTrustBundle`, () => {
    it('can be stopped before it was started, and twice', async () => {
      const { clusterTrustBundle } = await create();
      await clusterTrustBundle.stop();
      await clusterTrustBundle.stop();
      expect(() => clusterTrustBundle.healthy()).not.toThrow();
    });

    it('does what its interface says', async () => {
      await create();
      throw new Error('not written yet: the contract of ClusterTrustBundle, one case per promise of the interface');
    });
  });
}
