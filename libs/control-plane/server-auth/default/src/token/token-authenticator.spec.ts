import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { hasCode, KubeletError, messageOf } from '@podwright/errors';
import { KubeApiError } from '@podwright/kube-client-interface';
import type { ServerAuth, UserInfo } from '@podwright/server-auth-interface';
import { AuthHarness } from '../fixtures/auth-harness.js';
import { unreachable } from '../fixtures/review-server.js';

const { signal } = new AbortController();
const jane = { authenticated: true, user: { username: 'jane', groups: ['a'] } };

describe('bearer tokens', () => {
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

  /** The user's name, or why there is none. */
  const verdict = async (bearerToken: string, by = signal): Promise<string> =>
    harness.finish(
      auth.authenticate({ bearerToken }, by).then(
        (user) => (user as UserInfo).name,
        (error: unknown) => {
          expect(hasCode(error, 'unauthenticated')).toBe(true);
          return messageOf(error);
        },
      ),
    );
  const asks = (): number => harness.server.asked.length;
  const apiError = (httpStatus: number, reason?: string, seconds?: number): KubeApiError =>
    new KubeApiError('no', {
      code: 'unknown',
      httpStatus,
      ...(reason !== undefined && { status: { reason, details: {} } }),
      ...(seconds !== undefined && { retryAfterMs: seconds * 1000 }),
    });

  it('are asked about without audiences, from a budget of their own', async () => {
    harness.server.answerToken = () => jane;
    expect(await verdict('t')).toBe('jane');
    expect(harness.server.asked).toEqual([{ kind: 'TokenReview', spec: { token: 't' }, budget: 'authentication' }]);
  });

  it.each([
    [{ authenticated: 'yes', user: {} }, 'status.authenticated is not true or false'],
    [{ authenticated: true, user: { username: 7 } }, 'status.user.username is no text'],
    [{ authenticated: true, user: { groups: 'system:masters' } }, 'status.user.groups is no list'],
    [{ authenticated: true, user: { groups: [{}] } }, 'status.user.groups[0] is no text'],
    [{ authenticated: true, user: { extra: { a: 'b' } } }, 'status.user.extra[a] is no list'],
    [{ authenticated: true, user: { extra: [] } }, 'status.user.extra is no object'],
  ])('are refused after an answer that is none: %j', async (answer, problem) => {
    harness.server.answerToken = () => answer as never;
    expect(await verdict('t')).toContain(problem);
    const nothing = { uid: null, groups: null, extra: null };
    harness.server.answerToken = () => ({ authenticated: true, user: { username: 'jane', ...nothing } }) as never;
    expect(await verdict('t')).toBe('jane');
  });

  it.each([
    ['a user', jane, 'jane', 1],
    ['a plain no', {}, 'invalid bearer token', 1],
    ['a no with an error, which is not kept', { error: '[invalid bearer token]' }, '[invalid bearer token]', 2],
  ])('are kept for two minutes: %s', async (_name, answer, said, asked) => {
    harness.server.answerToken = () => answer;
    expect(await verdict('t')).toBe(said);
    await harness.clock.advance(119_999);
    expect(await verdict('t')).toBe(said);
    expect(asks()).toBe(asked);
    await harness.clock.advance(1);
    expect(await verdict('t')).toBe(said);
    expect(asks()).toBe(asked + 1);
  });

  it('are asked about each time when nothing is to be kept', async () => {
    auth = harness.serverAuth({ cacheTtlMs: 0 });
    await auth.start();
    harness.server.answerToken = () => jane;
    expect([await verdict('t'), await verdict('t')]).toEqual(['jane', 'jane']);
    expect(asks()).toBe(2);
  });

  it('that are the same are asked about once at a time', async () => {
    harness.server.answerToken = () => undefined;
    const controller = new AbortController();
    const leaving = verdictOf('t', controller.signal);
    const staying = [verdictOf('t'), verdictOf('t')];
    await harness.clock.advance(10);
    controller.abort(new Error('gone'));
    expect(await leaving).toBe('gone');
    await harness.clock.advance(30_000);
    expect(await Promise.all(staying)).toEqual([expect.stringContaining('30000'), expect.stringContaining('30000')]);
    expect(asks()).toBe(1);
  });
  const verdictOf = (bearerToken: string, by = signal): Promise<string> =>
    auth.authenticate({ bearerToken }, by).then(() => 'let in', messageOf);

  it.each([
    ['an internal error', () => apiError(500, 'InternalError'), 5],
    ['a time-out of the server', () => apiError(504, 'Timeout'), 5],
    ['too many requests', () => apiError(429, 'TooManyRequests'), 5],
    ['what asks to come again', () => apiError(503, 'ServiceUnavailable', 1), 5],
    ['a server that is overloaded', () => apiError(500, 'ServerTimeout'), 5],
    ['a plain 500', () => apiError(500), 5],
    ['a connection that broke', () => broken('ECONNRESET'), 5],
    ['an HTTP/2 session that ended', () => broken('ERR_HTTP2_GOAWAY_SESSION'), 5],
    ['a server that is not there', () => unreachable(), 1],
    ['a service that is not there', () => apiError(503, 'ServiceUnavailable'), 1],
    ['no right to ask', () => apiError(403, 'Forbidden'), 1],
  ])('are asked about again after %s: %# %s', async (_name, error, tries) => {
    const times: number[] = [];
    harness.server.answerToken = () => {
      times.push(harness.clock.monotonic());
      return error();
    };
    await verdict('t');
    expect(times).toHaveLength(tries);
    const pauses = times.slice(1).map((at, index) => at - (times[index] ?? 0));
    for (const [index, base] of [500, 750, 1125, 1687.5].slice(0, pauses.length).entries()) {
      expect(pauses[index]).toBeGreaterThanOrEqual(base);
      expect(pauses[index]).toBeLessThanOrEqual(base * 1.2);
    }
    expect(harness.logger.messages('error')).toEqual(['Failed to make webhook authenticator request']);
    // Not kept: the next one asks again.
    harness.server.answerToken = () => jane;
    expect(await verdict('t')).toBe('jane');
    expect(harness.logger.messages('info')).toEqual(['Webhook authenticator requests work again']);
  });
  const broken = (code: string): KubeApiError =>
    new KubeApiError('Post: broken', {
      code: 'unavailable',
      httpStatus: 0,
      cause: Object.assign(new Error('broken'), { code }),
    });

  it('that are refused push out nobody, and neither do many users', async () => {
    harness.server.answerToken = ({ token = '' }) => (token.startsWith('good') ? jane : {});
    expect(await verdict('good')).toBe('jane');
    for (let index = 0; index < 600; index++) await verdictOf(`bad-${index}`);
    const before = asks();
    expect(await verdict('good')).toBe('jane');
    expect(await verdictOf('bad-599')).toBe('invalid bearer token');
    expect(asks()).toBe(before);
    await verdictOf('bad-0');
    expect(asks()).toBe(before + 1);
    for (let index = 0; index < 2_000; index++) await verdictOf(`good-${index}`);
    await verdictOf('good');
    expect(asks()).toBe(before + 2_002);
  });

  it('that are good are not held up by strangers who invent others', async () => {
    const flood = (count: number): Promise<unknown>[] =>
      Array.from({ length: count }, (_, index) =>
        auth
          .authenticate({ bearerToken: `bad-${index}`, remoteAddress: '192.0.2.66' }, signal)
          .catch((error: unknown) => KubeletError.from(error).code),
      );
    harness.server.answerToken = () => jane;
    const scraper = { bearerToken: 'good', remoteAddress: '192.0.2.66' };
    await auth.authenticate(scraper, signal);
    harness.server.answerToken = () => undefined;
    const refused = flood(300);
    // Cached, although from the same address as the flood.
    expect(await auth.authenticate(scraper, signal)).toMatchObject({ name: 'jane' });
    await harness.clock.advance(0);
    // From elsewhere, for the first time: there is a place, and its turn comes after the reviews that are under way.
    const admin = auth.authenticate({ bearerToken: 'other', remoteAddress: '192.0.2.1' }, signal);
    harness.server.answerToken = ({ token = '' }) => (token.startsWith('bad') ? {} : jane);
    expect(await harness.finish(admin)).toMatchObject({ name: 'jane' });
    const codes = await harness.finish(Promise.all(refused));
    expect(codes.filter((code) => code === 'resource-exhausted')).toHaveLength(101);
    // No longer cached, but known: before the strangers who wait.
    await harness.clock.advance(130_000);
    harness.server.answerToken = () => undefined;
    const again = flood(300);
    await harness.clock.advance(0);
    const order = harness.server.asked.length;
    const scrape = auth.authenticate(scraper, signal);
    harness.server.answerToken = ({ token = '' }) => (token.startsWith('bad') ? {} : jane);
    expect(await harness.finish(scrape)).toMatchObject({ name: 'jane' });
    expect(harness.server.asked[order]).toMatchObject({ spec: { token: 'good' } });
    await harness.finish(Promise.all(again));
  });

  it('are written nowhere', async () => {
    harness.server.answerToken = () => unreachable();
    await verdict('secret-token');
    harness.server.answerToken = () => jane;
    await verdict('secret-token');
    const seen = JSON.stringify([harness.logger.entries, await harness.metrics.render()]);
    expect(seen).not.toContain('secret');
    expect(containsText(auth, 'secret-token')).toBe(false);
  });

  it('are counted as upstream counts them', async () => {
    harness.server.answerToken = () => jane;
    await verdict('t');
    await verdict('t');
    harness.server.answerToken = () => unreachable();
    await verdict('other');
    const lines = (await harness.metrics.render()).split('\n').filter((line) => !line.startsWith('#'));
    expect(lines).toEqual(
      expect.arrayContaining([
        'authentication_token_cache_request_total{status="hit"} 1',
        'authentication_token_cache_request_total{status="miss"} 2',
        'authentication_token_cache_request_duration_seconds_count{status="hit"} 1',
        'authentication_token_cache_fetch_total{status="ok"} 1',
        'authentication_token_cache_fetch_total{status="error"} 1',
        'authentication_token_cache_active_fetch_count{status="blocked"} 0',
        'authentication_token_cache_active_fetch_count{status="in_flight"} 0',
        'apiserver_delegated_authn_request_total{code="201"} 1',
        'apiserver_delegated_authn_request_total{code="<error>"} 1',
        'apiserver_delegated_authn_request_duration_seconds_bucket{code="201",le="0.25"} 1',
      ]),
    );
  });
});

/** Looks through everything that can be reached from an object. */
function containsText(value: unknown, text: string, seen = new Set<unknown>()): boolean {
  if (typeof value === 'string') return value.includes(text);
  if (typeof value !== 'object' || value === null || seen.has(value)) return false;
  seen.add(value);
  // The API server in memory keeps what it was asked.
  if ('asked' in value) return false;
  const inner = value instanceof Map ? [...value.keys(), ...value.values()] : Object.values(value);
  return inner.some((one) => containsText(one, text, seen));
}
