import { describe, expect, it } from '@podwright/contract';
import type { ServiceAccountTokensHarness } from './service-account-token-contract.js';

/** Every implementation without an API server passes this suite; `create` gives a new instance per case. */
export function describeStandaloneServiceAccountTokensContract(
  name: string,
  create: () => Promise<Pick<ServiceAccountTokensHarness, 'tokens'>>,
): void {
  describe(`${name} as ServiceAccountTokens without an API server`, () => {
    it('can be stopped before it was started, and twice', async () => {
      const { tokens } = await create();
      await tokens.stop();
      await tokens.stop();
    });

    it('says that there is no API server, and has no token of a pod to forget', async () => {
      const { tokens } = await create();
      await tokens.start();
      await expect(tokens.get('prod', 'app', {})).rejects.toMatchObject({ code: 'failed-precondition' });
      expect(() => tokens.deletePod('u1')).not.toThrow();
      await tokens.stop();
    });
  });
}
