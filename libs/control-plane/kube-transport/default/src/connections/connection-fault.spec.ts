import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { once } from 'node:events';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { hasCode } from '@podwright/errors';
import { createTestAuthority } from '../fixtures/test-authority.js';
import { failed, get, text, TransportHarness } from '../fixtures/transport-harness.js';
import { describeConnectionFault } from './connection-fault.js';

let harness: TransportHarness;
beforeAll(async () => {
  harness = await TransportHarness.create();
});
afterEach(() => harness.reset());
afterAll(() => harness.close());

const answer = (_request: unknown, response: { end: (text: string) => void }): void => response.end('ok');

describe('a server whose certificate is not good', () => {
  it.each([
    [
      'has expired or is not yet valid: current time',
      'is after the end of its validity (compare this machine',
      { fromDays: -3, toDays: -1 },
    ],
    [
      'has expired or is not yet valid: current time',
      'is before the start of its validity (compare this machine',
      { fromDays: 1, toDays: 2 },
    ],
    [
      'certificate is valid for api.example.org, 127.0.0.2, not 127.0.0.1',
      'else set tls-server-name in',
      { dnsNames: ['api.example.org'], ipAddresses: ['127.0.0.2'] },
    ],
    [
      'certificate relies on legacy Common Name field, use SANs instead',
      'tls-server-name',
      { commonName: '127.0.0.1', ipAddresses: [] },
    ],
  ])('says that it %s', async (words, check, issue) => {
    const { certificate, key } = await harness.authority.issue(issue);
    const server = await harness.serve(answer, { cert: certificate, key });
    const { transport } = await harness.connect({ server: `https://127.0.0.1:${server.port}` });
    const error = await failed(get(transport));
    expect(error.message).toContain(
      `tls: failed to verify certificate: x509: ${words.startsWith('has') ? 'certificate ' : ''}${words}`,
    );
    expect(error.message).toContain(check);
    expect(hasCode(error, 'unavailable')).toBe(true);
    const insecure = { 'insecure-skip-tls-verify': true, 'certificate-authority-data': '' };
    const trusting = await harness.connect({ server: `https://127.0.0.1:${server.port}`, ...insecure });
    expect(await text(await get(trusting.transport))).toBe('ok');
  });

  it('says that nobody here knows its authority', async () => {
    const { certificate, key } = await (await createTestAuthority()).issue();
    const server = await harness.serve(answer, { cert: certificate, key });
    const { transport, kubeconfig } = await harness.connect({ server: `https://127.0.0.1:${server.port}` });
    expect((await failed(get(transport))).message).toBe(
      `tls: failed to verify certificate: x509: certificate signed by unknown authority (certificate-authority or certificate-authority-data in ${kubeconfig} must be the authority that signed the server's certificate)`,
    );
  });

  it('is good under the name that the kubeconfig gives', async () => {
    const { certificate, key } = await harness.authority.issue({ dnsNames: ['api.example.org'], ipAddresses: [] });
    const server = await harness.serve(answer, { cert: certificate, key });
    const { transport } = await harness.connect({
      server: `https://127.0.0.1:${server.port}`,
      'tls-server-name': 'api.example.org',
    });
    expect(await text(await get(transport))).toBe('ok');
  });
});

describe('a server', () => {
  it('that wants another client certificate is told by what it does', async () => {
    const other = await (await createTestAuthority()).issue();
    const server = await harness.serve(answer, {
      requestCert: true,
      rejectUnauthorized: true,
      ca: harness.authority.certificate,
    });
    const file = await harness.file('other.pem', other.certificate + other.key);
    const user = { 'client-certificate': file, 'client-key': file };
    const { transport } = await harness.connect({ server: `https://127.0.0.1:${server.port}` }, { user });
    expect((await failed(get(transport))).message).toMatch(
      /^the server closed the connection right after the handshake \(does it accept the client certificate/,
    );
  });

  it('that speaks plain HTTP is told apart', async () => {
    const server = await harness.serve(answer, { plain: true });
    const { transport } = await harness.connect({ server: `https://127.0.0.1:${server.port}` });
    expect((await failed(get(transport))).message).toContain(
      'http: server gave HTTP response to HTTPS client (server in',
    );
  });

  it('that is not there refuses', async () => {
    const gone = createServer();
    await once(gone.listen(0, '127.0.0.1'), 'listening');
    const { port } = gone.address() as AddressInfo;
    gone.close();
    await once(gone, 'close');
    const { transport } = await harness.connect({ server: `https://127.0.0.1:${port}` });
    expect((await failed(get(transport))).message).toContain(
      `dial tcp 127.0.0.1:${port}: connect: connection refused (is the API server running at 127.0.0.1, and is ${port} its port?`,
    );
  });
});

describe('a fault', () => {
  const place = { host: 'api.example.org', port: 6443, kubeconfig: '/k', nowMs: 0 };
  it.each([
    ['ENOTFOUND', 'dial tcp: lookup api.example.org: no such host (server in /k says api.example.org: check the name'],
    ['EAI_AGAIN', 'dial tcp: lookup api.example.org: temporary failure in name resolution (server in /k says'],
    ['EHOSTUNREACH', 'dial tcp api.example.org:6443: connect: no route to host (check routes and firewalls'],
    ['ENETUNREACH', 'dial tcp api.example.org:6443: connect: network is unreachable (check routes and firewalls'],
    ['ETIMEDOUT', 'dial tcp api.example.org:6443: connect: connection timed out (check routes and firewalls'],
    [
      'ERR_SSL_TLSV1_ALERT_UNKNOWN_CA',
      'remote error: tls: unknown certificate authority (the server refuses the client',
    ],
    [
      'ERR_SSL_SSLV3_ALERT_CERTIFICATE_EXPIRED',
      'remote error: tls: certificate expired (the server refuses the client',
    ],
    ['ECONNRESET', 'read: connection reset by peer (the API server, or something on the way to it, ended'],
    ['ERR_SSL_DECRYPTION_FAILED_OR_BAD_RECORD_MAC', 'tls: decryption failed or bad record mac (what came from'],
    ['SOMETHING', 'else'],
  ])('%s is told in words that help', (code, words) => {
    const text = describeConnectionFault(Object.assign(new Error('else'), { code }), place);
    // The name server is that of this machine.
    expect(text.replace(/(?<=example\.org) on \S+(?=:)/, '')).toContain(words);
  });
});
