import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { hasCode, messageOf } from '@podwright/errors';
import type { DelegatingServerAuthConfig } from './delegating-server-auth-config.js';
import { AuthBench } from './fixtures/auth-bench.js';
import { withAuthenticatedGroup } from './authenticated-group.js';

const { signal } = new AbortController();
type Options = Partial<DelegatingServerAuthConfig>;

describe('the start of server-auth', () => {
  let bench: AuthBench;
  beforeEach(async () => {
    bench = await AuthBench.create();
  });
  afterEach(() => bench.dispose());

  const noAnonymous: Options = { anonymous: false };
  it.each<[string, Options, boolean, string]>([
    [
      'no method at all',
      { ...noAnonymous, webhookAuthentication: false },
      true,
      'no authentication method configured; set authentication.x509.clientCAFile, authentication.webhook.enabled or authentication.anonymous.enabled',
    ],
    [
      'tokens without an API server',
      {},
      false,
      'no client provided, cannot use webhook authentication; set --kubeconfig or authentication.webhook.enabled: false',
    ],
    [
      'access without an API server',
      { anonymous: true, webhookAuthentication: false },
      false,
      'no client provided, cannot use webhook authorization; set --kubeconfig or authorization.mode: AlwaysAllow',
    ],
  ])('fails with %s', async (_name, options, withClient, message) => {
    const auth = bench.serverAuth(options, withClient);
    const error: unknown = await auth.start().catch((caught: unknown) => caught);
    expect(messageOf(error)).toBe(message);
    expect(hasCode(error, 'invalid-argument')).toBe(true);
    await expect(auth.authenticate({}, signal)).rejects.toThrow('does not run');
    await auth.stop();
  });

  it.each([
    ['that is not there', undefined, /no such file or directory/],
    [
      'that is empty',
      '',
      /^missing content for CA bundle "client-ca-bundle::\/.*ca.crt"; name a PEM file .* authentication.x509.clientCAFile$/,
    ],
    ['without certificates', 'hello', /does not contain any valid RSA or ECDSA certificates; name a PEM file/],
    [
      'with a broken one',
      '-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n',
      /cannot be read; name a PEM file/,
    ],
  ])('fails with a CA file %s', async (_name, content, message) => {
    const clientCaFile =
      content === undefined ? path.join(await bench.caFile(), '..', 'none') : await bench.caFile(content);
    const auth = bench.serverAuth({ clientCaFile });
    const error: unknown = await auth.start().catch((caught: unknown) => caught);
    expect(messageOf(error)).toMatch(message);
    expect(hasCode(error, 'invalid-argument')).toBe(true);
    await auth.stop();
    expect(bench.clock.pendingTimers).toBe(0);
  });

  it('needs no API server where nothing is asked of one', async () => {
    const auth = bench.serverAuth(
      { anonymous: true, webhookAuthentication: false, authorizationMode: 'AlwaysAllow' },
      false,
    );
    await auth.start();
    expect(auth.requestsClientCertificates).toBe(false);
    // Nobody here understands tokens: they are as good as none.
    expect(await auth.authenticate({ bearerToken: 'any' }, signal)).toMatchObject({ name: 'system:anonymous' });
    await auth.stop();
  });
});

describe('what upstream does with', () => {
  let bench: AuthBench;
  beforeEach(async () => {
    bench = await AuthBench.create();
  });
  afterEach(() => bench.dispose());

  it('an empty token, and a good certificate without a common name: as good as none', async () => {
    const auth = bench.serverAuth({ anonymous: true, clientCaFile: await bench.caFile() });
    await auth.start();
    const chain = bench.authorities.chain({ user: '', groups: ['system:masters'] });
    const nobody = { name: 'system:anonymous', groups: ['system:unauthenticated'] };
    expect(await auth.authenticate({ bearerToken: '' }, signal)).toEqual(nobody);
    expect(await auth.authenticate({ clientCertificate: { chain } }, signal)).toEqual(nobody);
    expect(await auth.authenticate({ clientCertificate: { chain: [] } }, signal)).toEqual(nobody);
    expect(bench.server.asked).toEqual([]);
    await bench.finish(auth.stop());
  });

  it('several faults: all are said', async () => {
    bench.server.answerToken = () => ({});
    const auth = bench.serverAuth({ clientCaFile: await bench.caFile() });
    await auth.start();
    const chain = bench.authorities.chain({ user: 'jane', authority: bench.authorities.other });
    const refused = auth.authenticate({ clientCertificate: { chain }, bearerToken: 't' }, signal);
    await expect(bench.finish(refused)).rejects.toThrow(/^\[verifying certificate SN=.*, invalid bearer token\]$/);
    await bench.finish(auth.stop());
  });

  it.each([
    ['a user', 'jane', ['a'], ['a', 'system:authenticated']],
    ['somebody who calls himself nobody', 'system:anonymous', ['a'], ['a']],
    ['a group that says so already', 'jane', ['system:authenticated'], ['system:authenticated']],
    ['a group that denies it', 'jane', ['system:unauthenticated'], ['system:unauthenticated']],
  ])('%s: the group of all who are known', (_name, name, groups, expected) => {
    expect(withAuthenticatedGroup({ name, groups })).toEqual({ name, groups: expected });
  });
});
