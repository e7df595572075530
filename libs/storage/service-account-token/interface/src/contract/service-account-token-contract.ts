import { describe, expect, it } from '@podwright/contract';
import type { ServiceAccountTokens, TokenRequestSpec } from '../service-account-token.js';

/** One fresh instance, and the means to control its dependencies. */
export interface ServiceAccountTokensHarness {
  readonly tokens: ServiceAccountTokens;
  /** The API server has service account `prod/app` and its pod `web` with UID `u1`. */
  readonly api: {
    /** Advances the clock. */
    readonly advance: (ms: number) => Promise<void>;
    /** true: token requests fail from now on. */
    readonly setBroken: (broken: boolean) => void;
  };
}

const spec: TokenRequestSpec = {
  expirationSeconds: 3_600,
  boundObjectRef: { kind: 'Pod', apiVersion: 'v1', name: 'web', uid: 'u1' },
};
const hourMs = 3_600_000;

/** Every implementation of {@link ServiceAccountTokens} with an API server passes this suite; `create` gives a new instance per case. */
export function describeServiceAccountTokensContract(
  name: string,
  create: () => Promise<ServiceAccountTokensHarness>,
): void {
  const started = async (): Promise<ServiceAccountTokensHarness> => {
    const harness = await create();
    await harness.tokens.start();
    return harness;
  };
  describe(`${name} as ServiceAccountTokens`, () => {
    it('can be stopped before it was started, and twice', async () => {
      const { tokens } = await create();
      await tokens.stop();
      await tokens.stop();
    });

    it('gives the same token again while it is fresh', async () => {
      const { tokens } = await started();
      const first = await tokens.get('prod', 'app', spec);
      expect(await tokens.get('prod', 'app', spec)).toEqual(first);
      await tokens.stop();
    });

    it('gives tokens for other audiences apart, and a new one to a pod that was deleted', async () => {
      const { tokens } = await started();
      const { token } = await tokens.get('prod', 'app', spec);
      expect((await tokens.get('prod', 'app', { ...spec, audiences: ['vault'] })).token).not.toBe(token);
      tokens.deletePod('other');
      expect((await tokens.get('prod', 'app', spec)).token).toBe(token);
      tokens.deletePod('u1');
      tokens.deletePod('u1');
      expect((await tokens.get('prod', 'app', spec)).token).not.toBe(token);
      await tokens.stop();
    });

    it('replaces a token in time, keeps it while no other can be had, and gives none that has expired', async () => {
      const { tokens, api } = await started();
      const { token } = await tokens.get('prod', 'app', spec);
      await api.advance(0.7 * hourMs);
      expect((await tokens.get('prod', 'app', spec)).token).toBe(token);
      api.setBroken(true);
      await api.advance(0.2 * hourMs);
      expect((await tokens.get('prod', 'app', spec)).token).toBe(token);
      api.setBroken(false);
      expect((await tokens.get('prod', 'app', spec)).token).not.toBe(token);
      api.setBroken(true);
      await api.advance(2 * hourMs);
      await expect(tokens.get('prod', 'app', spec)).rejects.toThrow();
      await tokens.stop();
    });
  });
}
