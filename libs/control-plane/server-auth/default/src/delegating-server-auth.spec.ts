import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { hasCode, messageOf } from '@podwright/errors';
import type { DelegatingServerAuthConfig } from './delegating-server-auth-config.js';
import { AuthHarness } from './fixtures/auth-harness.js';
import { withAuthenticatedGroup } from './authenticated-group.js';

const { signal } = new AbortController();
type Options = Partial<DelegatingServerAuthConfig>;

describe('the start of server-auth', () => {
  let harness: AuthHarness;
  beforeEach(async () => {
    harness = await AuthHarness.create();
  });
  afterEach(() => harness.dispose());

  it.each<[string, Options, boolean, string]>([
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
    const auth = harness.serverAuth(options, withClient);
    const error: unknown = await auth.start().catch((caught: unknown) => caught);
    expect(messageOf(error)).toBe(message);
    expect(hasCode(error, 'invalid-argument')).toBe(true);
    await expect(auth.authenticate({}, signal)).rejects.toThrow('does not run');
    await auth.stop();
  });

  it('succeeds without any method, and warns that nobody is known', async () => {
    const auth = harness.serverAuth({
      anonymous: false,
      webhookAuthentication: false,
      authorizationMode: 'AlwaysAllow',
    });
    await auth.start();
    expect(harness.logger.messages('warning')).toEqual([
      'No authentication method is configured, so the server refuses every request that needs one',
    ]);
    expect(await auth.authenticate({ bearerToken: 'x' }, signal)).toBeUndefined();
    expect(await auth.authenticate({}, signal)).toBeUndefined();
    await auth.stop();
  });

  it.each([
    ['that is not there', undefined, /^open \/.*: no such file or directory; name a PEM file /],
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
      content === undefined ? path.join(await harness.caFile(), '..', 'none') : await harness.caFile(content);
    const auth = harness.serverAuth({ clientCaFile });
    const error: unknown = await auth.start().catch((caught: unknown) => caught);
    expect(messageOf(error)).toMatch(message);
    expect(hasCode(error, 'invalid-argument')).toBe(true);
    await auth.stop();
    expect(harness.clock.pendingTimers).toBe(0);
  });

  it('needs no API server where nothing is asked of one', async () => {
    const auth = harness.serverAuth(
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
  let harness: AuthHarness;
  beforeEach(async () => {
    harness = await AuthHarness.create();
  });
  afterEach(() => harness.dispose());

  it('an empty token, and a good certificate without a common name: as good as none', async () => {
    const auth = harness.serverAuth({ anonymous: true, clientCaFile: await harness.caFile() });
    await auth.start();
    const chain = harness.authorities.chain({ user: '', groups: ['system:masters'] });
    const nobody = { name: 'system:anonymous', groups: ['system:unauthenticated'] };
    expect(await auth.authenticate({ bearerToken: '' }, signal)).toEqual(nobody);
    expect(await auth.authenticate({ clientCertificate: { chain } }, signal)).toEqual(nobody);
    expect(await auth.authenticate({ clientCertificate: { chain: [] } }, signal)).toEqual(nobody);
    expect(harness.server.asked).toEqual([]);
    await harness.finish(auth.stop());
  });

  it('several faults: all are said', async () => {
    harness.server.answerToken = () => ({});
    const auth = harness.serverAuth({ clientCaFile: await harness.caFile() });
    await auth.start();
    const chain = harness.authorities.chain({ user: 'jane', authority: harness.authorities.other });
    const refused = auth.authenticate({ clientCertificate: { chain }, bearerToken: 't' }, signal);
    await expect(harness.finish(refused)).rejects.toThrow(/^\[verifying certificate SN=.*, invalid bearer token\]$/);
    await harness.finish(auth.stop());
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
