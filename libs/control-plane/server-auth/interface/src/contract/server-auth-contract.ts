import { afterEach, describe, expect, it } from '@podwright/contract';
import { hasCode } from '@podwright/errors';
import type { AccessAttributes, RequestCredentials, ServerAuth, UserInfo } from '../server-auth.js';

/** Configuration of one instance. Client certificates, tokens and webhook authorization are always on. */
export interface ServerAuthSetup {
  readonly anonymous: boolean;
}

/** One fresh instance, not started. */
export interface ServerAuthHarness {
  readonly serverAuth: ServerAuth;
  /** The chain that a client with a certificate sends. `trusted` (the default): the configured CA has signed it. */
  certificate(of: {
    readonly user: string;
    readonly groups?: readonly string[];
    readonly trusted?: boolean;
    /** Milliseconds from now; default a day. */
    readonly lifeMs?: number;
    readonly usage?: 'client auth' | 'server auth';
  }): readonly Uint8Array[];
  /** Makes a token valid; all others are wrong. */
  knowToken(token: string, user: UserInfo): void;
  /** From now on the authorizer allows exactly what passes `test`. */
  allow(test: (user: UserInfo, attributes: AccessAttributes) => boolean): void;
  /** false: the service that checks tokens and access does not answer. */
  setReachable(reachable: boolean): void;
  /** Advances the clock until `work` settles. */
  finish<T>(work: Promise<T>): Promise<T>;
  pendingTimers(): number;
  dispose(): Promise<void>;
}

const attributes: AccessAttributes = { verb: 'get', subresource: 'metrics', path: '/metrics' };

/** Every implementation of {@link ServerAuth} passes this suite; `create` gives a new instance per case. */
export function describeServerAuthContract(
  name: string,
  create: (setup: ServerAuthSetup) => Promise<ServerAuthHarness>,
): void {
  describe(`${name} as a ServerAuth`, () => {
    let harness: ServerAuthHarness | undefined;
    const { signal } = new AbortController();

    afterEach(async () => {
      await harness?.finish(harness.serverAuth.stop());
      expect(harness?.pendingTimers() ?? 0).toBe(0);
      await harness?.dispose();
      harness = undefined;
    });

    const started = async (setup: ServerAuthSetup = { anonymous: false }): Promise<ServerAuthHarness> => {
      harness = await create(setup);
      await harness.finish(harness.serverAuth.start());
      return harness;
    };
    const authenticate = (credentials: RequestCredentials): Promise<UserInfo | undefined> => {
      const { serverAuth, finish } = harness as ServerAuthHarness;
      return finish(serverAuth.authenticate(credentials, signal));
    };
    const refusal = async (work: Promise<unknown>): Promise<unknown> =>
      work.then(
        (value) => Promise.reject(new Error(`not refused: ${JSON.stringify(value)}`)),
        (error: unknown) => error,
      );
    const chain = (of: Parameters<ServerAuthHarness['certificate']>[0]): RequestCredentials => ({
      clientCertificate: { chain: (harness as ServerAuthHarness).certificate(of) },
    });

    it('can be stopped before it was started, and twice', async () => {
      harness = await create({ anonymous: true });
      await harness.serverAuth.stop();
      await harness.serverAuth.stop();
      expect(() => harness?.serverAuth.healthy()).not.toThrow();
    });

    it('lets nobody in before its start and after its stop', async () => {
      harness = await create({ anonymous: true });
      harness.allow(() => true);
      const { serverAuth, finish } = harness;
      const user = { name: 'jane', groups: [] };
      const refusals = async (): Promise<void> => {
        await refusal(authenticate({}));
        await refusal(finish(serverAuth.authorize(user, attributes, signal)));
      };
      await refusals();
      await finish(serverAuth.start());
      await finish(serverAuth.stop());
      await refusals();
    });

    it('takes the user and the groups from a certificate', async () => {
      const { serverAuth } = await started();
      expect(serverAuth.requestsClientCertificates).toBe(true);
      expect(serverAuth.healthy().ok).toBe(true);
      expect(await authenticate(chain({ user: 'jane', groups: ['a', 'b'] }))).toMatchObject({
        name: 'jane',
        groups: ['a', 'b', 'system:authenticated'],
      });
    });

    it('takes the user from a token, again and again', async () => {
      const { knowToken } = await started();
      knowToken('good', { name: 'jane', uid: '7', groups: ['a'], extra: { scope: ['x', 'y'] } });
      for (const _time of [1, 2]) {
        expect(await authenticate({ bearerToken: 'good' })).toEqual({
          name: 'jane',
          uid: '7',
          groups: ['a', 'system:authenticated'],
          extra: { scope: ['x', 'y'] },
        });
      }
    });

    it('has no user for a request without credentials, or the anonymous one', async () => {
      await started();
      expect(await authenticate({})).toBeUndefined();
      await harness?.serverAuth.stop();
      await harness?.dispose();
      await started({ anonymous: true });
      expect(await authenticate({})).toEqual({ name: 'system:anonymous', groups: ['system:unauthenticated'] });
    });

    it.each<[string, () => RequestCredentials]>([
      ['a certificate of an unknown authority', () => chain({ user: 'jane', trusted: false })],
      ['an expired certificate', () => chain({ user: 'jane', lifeMs: -1_000 })],
      ['a certificate for servers', () => chain({ user: 'jane', usage: 'server auth' })],
      ['a certificate that is none', () => ({ clientCertificate: { chain: [Buffer.from('none')] } })],
      ['an unknown token', () => ({ bearerToken: 'bad' })],
      ['both', () => ({ ...chain({ user: 'jane', trusted: false }), bearerToken: 'bad' })],
    ])('refuses %s, which never becomes anonymous', async (_name, credentials) => {
      await started({ anonymous: true });
      expect(hasCode(await refusal(authenticate(credentials())), 'unauthenticated')).toBe(true);
    });

    it('prefers a certificate to a token, and a token to a certificate that is wrong', async () => {
      const { knowToken } = await started();
      knowToken('good', { name: 'joe', groups: [] });
      expect(await authenticate({ ...chain({ user: 'jane' }), bearerToken: 'good' })).toMatchObject({ name: 'jane' });
      expect(await authenticate({ ...chain({ user: 'jane' }), bearerToken: 'bad' })).toMatchObject({ name: 'jane' });
      const wrong = { ...chain({ user: 'jane', trusted: false }), bearerToken: 'good' };
      expect(await authenticate(wrong)).toMatchObject({ name: 'joe' });
    });

    it('refuses tokens that nobody can check, and takes them when somebody can', async () => {
      const { knowToken, setReachable } = await started({ anonymous: true });
      knowToken('good', { name: 'jane', groups: [] });
      setReachable(false);
      expect(hasCode(await refusal(authenticate({ bearerToken: 'good' })), 'unauthenticated')).toBe(true);
      setReachable(true);
      expect(await authenticate({ bearerToken: 'good' })).toMatchObject({ name: 'jane' });
    });

    it('allows what is allowed, and nothing else', async () => {
      const { allow, serverAuth, finish } = await started();
      allow((user, { verb, subresource }) => user.groups.includes('a') && verb === 'get' && subresource === 'metrics');
      const asked = async (groups: readonly string[], verb: string, subresource: string): Promise<boolean> => {
        const of = { ...attributes, verb, subresource };
        return (await finish(serverAuth.authorize({ name: 'jane', groups }, of, signal))).allowed;
      };
      expect(await asked(['a'], 'get', 'metrics')).toBe(true);
      expect(await asked(['b'], 'get', 'metrics')).toBe(false);
      expect(await asked(['a'], 'create', 'metrics')).toBe(false);
      expect(await asked(['a'], 'get', 'proxy')).toBe(false);
      expect(await asked(['a'], '', 'metrics')).toBe(false);
      expect(await asked(['system:masters'], 'get', 'proxy')).toBe(false);
    });

    it('rejects when nobody can say what is allowed', async () => {
      const { allow, serverAuth, setReachable, finish } = await started();
      allow(() => true);
      setReachable(false);
      const error = await refusal(finish(serverAuth.authorize({ name: 'jane', groups: [] }, attributes, signal)));
      expect(hasCode(error, 'unavailable') || hasCode(error, 'internal')).toBe(true);
    });

    it('leaves a caller who has gone', async () => {
      const { knowToken, serverAuth } = await started();
      knowToken('good', { name: 'jane', groups: [] });
      const controller = new AbortController();
      const waiting = refusal(serverAuth.authenticate({ bearerToken: 'good' }, controller.signal));
      controller.abort();
      await waiting;
    });
  });
}
