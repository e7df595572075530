import { describe, expect, it } from '@podwright/contract';
import type { ClusterTrustBundlesHarness } from './cluster-trust-bundle-contract.js';

/** Every implementation without an API server passes this suite; `create` gives a new instance per case. */
export function describeStandaloneClusterTrustBundlesContract(
  name: string,
  create: () => Promise<Pick<ClusterTrustBundlesHarness, 'bundles'>>,
): void {
  describe(`${name} as ClusterTrustBundles without an API server`, () => {
    it('can be stopped before it was started, and twice', async () => {
      const { bundles } = await create();
      await bundles.stop();
      await bundles.stop();
    });

    it.each([false, true])('says that there is no API server, whether a bundle may be missing: %j', async (allowed) => {
      const { bundles } = await create();
      await bundles.start();
      const refusal = { code: 'failed-precondition' };
      await expect(bundles.byName('missing', allowed)).rejects.toMatchObject(refusal);
      await expect(bundles.bySigner('x.io/y', {}, allowed)).rejects.toMatchObject(refusal);
      await bundles.stop();
    });
  });
}
