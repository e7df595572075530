import { describe, expect, it } from '@jest/globals';
import { KubeApiError } from '@podwright/kube-client-interface';
import { MemoryOfflineObjects } from '@podwright/test-cluster';
import type { ApiServiceAccountTokens } from './api-service-account-tokens.js';
import { TokenIssuer } from './fixtures/token-issuer.js';

const noAnswer = new KubeApiError('connection refused', { code: 'unavailable', httpStatus: 0 });
const forbidden = new KubeApiError('forbidden', { code: 'permission-denied', httpStatus: 403 });
const hasExpired = 'The API server cannot be reached: a pod gets a service account token that has expired';

function setUp() {
  const issuer = new TokenIssuer();
  const offline = new MemoryOfflineObjects(issuer.clock);
  const get = (manager: ApiServiceAccountTokens, uid = 'u1'): Promise<string> =>
    manager
      .get('prod', 'app', { boundObjectRef: { kind: 'Pod', apiVersion: 'v1', name: 'web', uid } })
      .then(({ token }) => token);
  const saved = (): number => offline.refs('ServiceAccountToken').length;
  return { issuer, offline, get, saved };
}

describe('saved tokens', () => {
  it('are given while the server is away, by the next process too, and replaced by its next answer', async () => {
    const { issuer, offline, get } = setUp();
    await get(issuer.manager(offline));
    const next = issuer.manager(offline);
    issuer.failure = noAnswer;
    expect(await get(next)).toBe('token 1');
    expect(offline.inUse).toHaveLength(1);
    issuer.failure = undefined;
    expect(await get(next)).toBe('token 3');
    expect(offline.inUse).toEqual([]);
    issuer.failure = noAnswer;
    expect(await get(issuer.manager(offline))).toBe('token 3');
  });

  it('are given as they are when they have expired, which the log says', async () => {
    const { issuer, offline, get } = setUp();
    const manager = issuer.manager(offline);
    await get(manager);
    issuer.failure = noAnswer;
    await issuer.clock.advance(3_600_000);
    expect(await get(issuer.manager(offline))).toBe('token 1');
    expect(issuer.logger.messages('warning')).not.toContain(hasExpired);
    await issuer.clock.advance(1_000);
    for (const each of [manager, issuer.manager(offline)]) expect(await get(each)).toBe('token 1');
    expect(issuer.logger.messages('warning').filter((message) => message === hasExpired)).toHaveLength(2);
  });

  it('are not given when the server refuses', async () => {
    const { issuer, offline, get } = setUp();
    await get(issuer.manager(offline));
    issuer.failure = forbidden;
    await expect(get(issuer.manager(offline))).rejects.toThrow('failed to fetch token: forbidden');
    expect(offline.inUse).toEqual([]);
  });

  it('are of pods, and go with them', async () => {
    const { issuer, offline, get, saved } = setUp();
    const manager = issuer.manager(offline);
    await manager.get('prod', 'app', {});
    expect(saved()).toBe(0);
    for (const uid of ['u1', 'u2', 'u3']) await get(manager, uid);
    manager.deletePod('u2');
    expect(saved()).toBe(2);
    manager.forgetAllBut(new Set(['u3', 'u4']));
    expect(offline.refs('ServiceAccountToken').map(({ name }) => name.slice(0, 3))).toEqual(['u3/']);
  });
});
