import { describe, expect, it } from '@jest/globals';
import type { CloudResourceSync } from '../cloud-resource-sync.js';

/** One fresh instance and the means to drive what it depends on. */
export interface CloudResourceSyncHarness {
  readonly cloudResourceSync: CloudResourceSync;
}

/** Every implementation of {@link CloudResourceSync} passes this suite; `create` gives a new instance per case. */
export function describeCloudResourceSyncContract(name: string, create: () => Promise<CloudResourceSyncHarness>): void {
  describe(`${name} as a CloudResourceSync`, () => {
    it('can be stopped before it was started, and twice', async () => {
      const { cloudResourceSync } = await create();
      await cloudResourceSync.stop();
      await cloudResourceSync.stop();
      expect(() => cloudResourceSync.healthy()).not.toThrow();
    });

    it('does what its interface says', async () => {
      await create();
      throw new Error('not written yet: the contract of CloudResourceSync, one case per promise of the interface');
    });
  });
}
