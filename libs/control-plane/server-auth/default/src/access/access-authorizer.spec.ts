import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { hasCode, messageOf } from '@podwright/errors';
import type { AccessAttributes, ServerAuth, UserInfo } from '@podwright/server-auth-interface';
import { AuthHarness } from '../fixtures/auth-harness.js';
import { unreachable } from '../fixtures/review-server.js';

const { signal } = new AbortController();
const jane: UserInfo = { name: 'jane', uid: '7', groups: ['a', 'system:authenticated'], extra: { scope: ['x'] } };
const metrics: AccessAttributes = { verb: 'get', subresource: 'metrics', path: '/metrics' };

describe('access to the node', () => {
  let harness: AuthHarness;
  let auth: ServerAuth;
  beforeEach(async () => {
    harness = await AuthHarness.create();
    auth = harness.serverAuth();
    await auth.start();
  });
  afterEach(async () => {
    await harness.finish(auth.stop());
    expect(harness.clock.pendingTimers).toBe(0);
    await harness.dispose();
  });

  const ask = (user = jane, of = metrics): ReturnType<ServerAuth['authorize']> =>
    harness.finish(auth.authorize(user, of, signal));
  const asks = (): number => harness.server.asked.length;

  it('is asked for with all that is known of the user, from a budget of its own', async () => {
    harness.server.answerAccess = () => ({ allowed: true, reason: 'RBAC: allowed' });
    expect(await ask()).toEqual({ allowed: true, reason: 'RBAC: allowed' });
    expect(harness.server.asked).toEqual([
      {
        kind: 'SubjectAccessReview',
        budget: 'authorization',
        spec: {
          user: 'jane',
          uid: '7',
          groups: ['a', 'system:authenticated'],
          extra: { scope: ['x'] },
          resourceAttributes: { verb: 'get', version: 'v1', resource: 'nodes', subresource: 'metrics', name: 'n1' },
        },
      },
    ]);
  });

  it('is asked for even by those who may do everything', async () => {
    expect(await ask({ name: 'root', groups: ['system:masters'] })).toEqual({ allowed: false });
    expect(asks()).toBe(1);
  });

  it.each([
    [{ allowed: 'no' }, 'status.allowed is not true or false'],
    [{ allowed: true, denied: 1 }, 'status.denied is not true or false'],
    [{ allowed: true, reason: {} }, 'status.reason is no text'],
    ['yes', 'status is no object'],
  ])('is refused for an answer that is none: %j', async (answer, problem) => {
    harness.server.answerAccess = () => answer as never;
    await expect(ask()).rejects.toMatchObject({ code: 'unavailable', message: expect.stringContaining(problem) });
    harness.server.answerAccess = () => ({ allowed: true, denied: null, reason: null }) as never;
    expect(await ask()).toEqual({ allowed: true });
  });

  it.each([
    ['a yes for five minutes', { allowed: true }, 300_000],
    ['a no opinion for half a minute', { allowed: false, reason: 'why' }, 30_000],
    ['a no for half a minute', { allowed: false, denied: true }, 30_000],
  ])('is remembered: %s', async (_name, answer, lifeMs) => {
    harness.server.answerAccess = () => answer;
    const first = await ask();
    expect(first.allowed).toBe(answer.allowed);
    await harness.clock.advance(lifeMs - 1);
    expect(await ask()).toEqual(first);
    expect(asks()).toBe(1);
    await harness.clock.advance(1);
    await ask();
    expect(asks()).toBe(2);
  });

  it('is another question for another user, group, verb or subresource, not for another path', async () => {
    harness.server.answerAccess = () => ({ allowed: true });
    await ask();
    await ask(jane, { ...metrics, path: '/metrics/cadvisor' });
    expect(asks()).toBe(1);
    await ask({ ...jane, name: 'joe' });
    await ask({ ...jane, groups: ['a'] });
    await ask({ ...jane, uid: '8' });
    await ask(jane, { ...metrics, verb: 'create' });
    await ask(jane, { ...metrics, subresource: 'proxy' });
    expect(asks()).toBe(6);
  });

  it('is not remembered for a path that is very long', async () => {
    harness.server.answerAccess = () => ({ allowed: true });
    // get + v1 + nodes + metrics + n1, and not 10 000 in all
    await ask(jane, { ...metrics, path: `/${'x'.repeat(10_000 - 1 - 3 - 2 - 5 - 7 - 2)}` });
    await ask();
    expect(asks()).toBe(2);
    await ask(jane, { ...metrics, path: `/${'x'.repeat(10_000 - 2 - 3 - 2 - 5 - 7 - 2)}` });
    await ask();
    expect(asks()).toBe(2);
  });

  it('is refused when the answer says both', async () => {
    harness.server.answerAccess = () => ({ allowed: true, denied: true });
    const error: unknown = await ask().catch((caught: unknown) => caught);
    expect(messageOf(error)).toBe('webhook subject access review returned both allow and deny response');
    expect(hasCode(error, 'internal')).toBe(true);
  });

  it("is nobody's while the server is away, and is asked for again at once when it is back", async () => {
    harness.server.answerAccess = () => unreachable();
    const error: unknown = await ask().catch((caught: unknown) => caught);
    expect(hasCode(error, 'unavailable')).toBe(true);
    expect(harness.logger.messages('error')).toEqual(['Failed to make webhook authorizer request']);
    harness.server.answerAccess = () => ({ allowed: true });
    expect(await ask()).toEqual({ allowed: true });
  });

  it("is everybody's with AlwaysAllow, and nobody is asked", async () => {
    auth = harness.serverAuth({ authorizationMode: 'AlwaysAllow' });
    await auth.start();
    expect(await ask({ name: 'system:anonymous', groups: [] })).toEqual({ allowed: true });
    expect(asks()).toBe(0);
  });

  it('is counted as upstream counts it', async () => {
    await ask();
    expect(await harness.metrics.render()).toContain('apiserver_delegated_authz_request_total{code="201"} 1\n');
  });
});
