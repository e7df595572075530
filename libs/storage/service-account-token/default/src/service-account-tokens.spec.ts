import { describe, expect, it } from '@jest/globals';
import { KubeletError } from '@podwright/errors';
import type { ServiceAccountTokens } from '@podwright/service-account-token-interface';
import {
  describeServiceAccountTokensContract,
  describeStandaloneServiceAccountTokensContract,
} from '@podwright/service-account-token-interface/contract';
import { createContractHarness } from './fixtures/contract-harness.js';
import { TokenIssuer } from './fixtures/token-issuer.js';
import { createStandaloneServiceAccountTokens } from './standalone-service-account-tokens.module.js';

describeStandaloneServiceAccountTokensContract('StandaloneServiceAccountTokens', async () => ({
  tokens: createStandaloneServiceAccountTokens(),
}));

describeServiceAccountTokensContract('ApiServiceAccountTokens', createContractHarness);

describe('StandaloneServiceAccountTokens', () => {
  it('has upstream’s text', async () => {
    const tokens: ServiceAccountTokens = createStandaloneServiceAccountTokens();
    await expect(tokens.get('prod', 'app', {})).rejects.toThrow(
      'failed to fetch token: cannot use TokenManager when kubelet is in standalone mode',
    );
  });
});

describe('ApiServiceAccountTokens', () => {
  const unavailable = new KubeletError('no answer', { code: 'unavailable' });
  const boundObjectRef = { kind: 'Pod', apiVersion: 'v1', name: 'web', uid: 'u1' };

  it('sends what upstream sends', async () => {
    const issuer = new TokenIssuer();
    const spec = { audiences: ['vault'], expirationSeconds: 600, boundObjectRef };
    expect((await issuer.manager().get('prod', 'app', spec)).expirationTimestamp).toBe('2026-01-01T00:10:00.000Z');
    expect(issuer.requests).toEqual([{ apiVersion: 'authentication.k8s.io/v1', kind: 'TokenRequest', spec }]);
    await issuer.manager().get('prod', 'app', { ...spec, serviceAccountUid: 'sa-uid' });
    expect(issuer.requests[1]).toMatchObject({ metadata: { uid: 'sa-uid' }, spec });
    expect(issuer.requests[1]).not.toHaveProperty('spec.serviceAccountUid');
  });

  it('shares a call between those who want the same token', async () => {
    const issuer = new TokenIssuer();
    const tokens = issuer.manager();
    const [one, two, other] = await Promise.all([
      tokens.get('prod', 'app', {}),
      tokens.get('prod', 'app', {}),
      tokens.get('prod', 'app', { audiences: ['vault'] }),
    ]);
    expect([one, other === one, issuer.requests.length]).toEqual([two, false, 2]);
  });

  it('does not keep a token that was on its way when its pod was deleted', async () => {
    const issuer = new TokenIssuer();
    const tokens = issuer.manager();
    const first = tokens.get('prod', 'app', { boundObjectRef });
    tokens.deletePod('u1');
    await first;
    await tokens.get('prod', 'app', { boundObjectRef });
    expect(issuer.requests.length).toBe(2);
  });

  it('tells of a first failure, of one after the end of a token, and keeps silent between', async () => {
    const issuer = new TokenIssuer();
    const tokens = issuer.manager();
    issuer.failure = unavailable;
    await expect(tokens.get('prod', 'app', {})).rejects.toMatchObject({
      message: 'failed to fetch token: no answer',
      code: 'unavailable',
    });
    issuer.failure = undefined;
    const { token } = await tokens.get('prod', 'app', {});
    issuer.failure = unavailable;
    await issuer.clock.advance(3_599_000);
    expect((await tokens.get('prod', 'app', {})).token).toBe(token);
    expect(issuer.logger.entries.map(({ message }) => message)).toEqual(["Couldn't update token"]);
    await issuer.clock.advance(2_000);
    await expect(tokens.get('prod', 'app', {})).rejects.toThrow(
      /^token "app"\/"prod"\/.* expired and refresh failed: no answer$/,
    );
  });

  it('throws expired tokens away each minute', async () => {
    const issuer = new TokenIssuer();
    const tokens = issuer.manager();
    await tokens.start();
    await tokens.get('prod', 'app', { expirationSeconds: 30 });
    await issuer.clock.advance(60_000);
    issuer.failure = unavailable;
    await expect(tokens.get('prod', 'app', { expirationSeconds: 30 })).rejects.toThrow(
      'failed to fetch token: no answer',
    );
    await tokens.stop();
    expect(issuer.clock.pendingTimers).toBe(0);
  });

  it.each([
    ['has them', undefined, 'failed to fetch token: serviceaccounts "gone" not found'],
    [
      'has none',
      '{"resources":[{"name":"serviceaccounts"}]}',
      'failed to fetch token: the API server does not have TokenRequest endpoints enabled',
    ],
    ['answers garbage', '<html>', 'failed to fetch token: serviceaccounts "gone" not found'],
    ['does not answer', '', 'failed to fetch token: serviceaccounts "gone" not found'],
  ])('tells an API server without tokens from a missing service account: it %s', async (_what, discovery, message) => {
    const issuer = new TokenIssuer();
    if (discovery !== undefined) issuer.discovery = discovery === '' ? undefined : discovery;
    await expect(issuer.manager().get('prod', 'gone', {})).rejects.toThrow(message);
  });

  it('never replaces a token of unknown life, and refuses an answer without one', async () => {
    const issuer = new TokenIssuer();
    const tokens = issuer.manager();
    issuer.change = ({ status = {} }) => ({ spec: {}, status });
    await tokens.get('prod', 'app', {});
    await issuer.clock.advance(3_599_000);
    await tokens.get('prod', 'app', {});
    expect(issuer.requests.length).toBe(1);
    issuer.change = (answer) => ({ ...answer, status: {} });
    await expect(tokens.get('prod', 'app', { audiences: ['a'] })).rejects.toThrow('answered without a token');
  });

  it('ends the wait of a caller who gives up, not that of another', async () => {
    const issuer = new TokenIssuer();
    const tokens = issuer.manager();
    const leaving = new AbortController();
    const left = tokens.get('prod', 'app', {}, leaving.signal).catch((error: unknown) => error);
    const stays = tokens.get('prod', 'app', {});
    leaving.abort(new KubeletError('enough', { code: 'cancelled' }));
    expect([((await left) as Error).message, (await stays).token]).toEqual([
      'failed to fetch token: enough',
      'token 1',
    ]);
  });
});
