import { describe, expect, it } from '@jest/globals';
import type { ServiceAccountToken } from '../service-account-token.js';

/** One fresh instance and the means to drive what it depends on. */
export interface ServiceAccountTokenHarness {
  readonly serviceAccountToken: ServiceAccountToken;
}

/** Every implementation of {@link ServiceAccountToken} passes this suite; `create` gives a new instance per case. */
export function describeServiceAccountTokenContract(
  name: string,
  create: () => Promise<ServiceAccountTokenHarness>,
): void {
  describe(`${name} as a ServiceAccountToken`, () => {
    it('can be stopped before it was started, and twice', async () => {
      const { serviceAccountToken } = await create();
      await serviceAccountToken.stop();
      await serviceAccountToken.stop();
      expect(() => serviceAccountToken.healthy()).not.toThrow();
    });

    it('does what its interface says', async () => {
      await create();
      throw new Error('not written yet: the contract of ServiceAccountToken, one case per promise of the interface');
    });
  });
}
