import { createPublicKey, generateKeyPairSync, X509Certificate } from 'node:crypto';
import { createServer, connect } from 'node:tls';
import type { AddressInfo } from 'node:net';
import { once } from 'node:events';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { hasCode } from '@podwright/errors';
import {
  createCertificateRequest,
  createSelfSignedCertificate,
  formatPem,
  generatePrivateKey,
  isKeyOf,
  issueCertificate,
  decodePem,
  pemBlock,
  pemBlocks,
  readCertificate,
  readCertificateRequest,
  readCertificates,
} from './index.js';
import type { CertificateAuthority } from './index.js';

const day = 86_400_000;
const startMs = Date.UTC(2026, 0, 1, 12, 30, 15);
const nodeSubject = { commonName: 'system:node:n1', organizations: ['system:nodes'] };
const names = { dnsNames: ['n1', 'n1.example.org'], ipAddresses: ['10.0.0.7', 'fd00::7'] };

let ca: CertificateAuthority;
let caKey = '';
let key = '';
beforeAll(async () => {
  [caKey, key] = await Promise.all([generatePrivateKey(), generatePrivateKey()]);
  const certificate = createSelfSignedCertificate({
    subject: { commonName: 'test-ca' },
    privateKey: caKey,
    notBeforeMs: startMs,
    notAfterMs: startMs + 3650 * day,
    usages: ['digital signature', 'key encipherment'],
    authority: true,
  });
  ca = { certificate, privateKey: caKey };
});

const leaf = (over: Partial<Parameters<typeof issueCertificate>[0]> = {}): string =>
  issueCertificate(
    {
      subject: nodeSubject,
      publicKey: createPublicKey(key),
      notBeforeMs: startMs,
      notAfterMs: startMs + 365 * day,
      usages: ['digital signature', 'client auth'],
      ...over,
    },
    ca,
  );

function thrownBy(run: () => unknown): unknown {
  try {
    run();
  } catch (error) {
    return error;
  }
  throw new Error('nothing was thrown');
}

describe('a certificate request', () => {
  it.each([
    ['a client certificate', { subject: nodeSubject }, { dnsNames: [], ipAddresses: [] }],
    ['a serving certificate', { subject: nodeSubject, ...names }, names],
    [
      'more than one organization, and text that is no ASCII',
      { subject: { commonName: 'knöten*', organizations: ['b', 'a'] } },
      { dnsNames: [], ipAddresses: [] },
    ],
    ['names without a subject', { subject: {}, dnsNames: ['n1'] }, { dnsNames: ['n1'], ipAddresses: [] }],
  ])('for %s says what was asked for', (_name, asked, expected) => {
    const pem = createCertificateRequest({ privateKey: key, ...asked });
    const { subject, publicKey, ...rest } = readCertificateRequest(pem);
    expect(pem).toMatch(/^-----BEGIN CERTIFICATE REQUEST-----\n/);
    expect(subject.commonName).toBe('commonName' in asked.subject ? asked.subject.commonName : '');
    expect([...subject.organizations].sort()).toEqual(
      'organizations' in asked.subject ? [...asked.subject.organizations].sort() : [],
    );
    expect(rest).toEqual(expected);
    expect(isKeyOf(publicKey, key)).toBe(true);
  });

  it.each(['10.0.0.7', 'fd00::7', '::1', '::', '2001:db8::', '1:2:3:4:5:6:7:8'])('keeps the address %s', (address) => {
    const pem = createCertificateRequest({ privateKey: key, subject: {}, ipAddresses: [address] });
    expect(readCertificateRequest(pem).ipAddresses).toEqual([address]);
  });

  it('takes an IPv4 address in IPv6 for what it is, as Go does', () => {
    const pem = createCertificateRequest({ privateKey: key, subject: {}, ipAddresses: ['::ffff:10.0.0.7'] });
    expect(readCertificateRequest(pem).ipAddresses).toEqual(['10.0.0.7']);
  });

  it('is refused when it was changed or is none', () => {
    const pem = createCertificateRequest({ privateKey: key, subject: nodeSubject });
    const { der } = pemBlock(pem, 'CERTIFICATE REQUEST');
    const at = der.indexOf('system:node:n1') + 'system:node:'.length;
    const changed = Buffer.from(der);
    changed.write('x', at, 'latin1');
    const error = thrownBy(() => readCertificateRequest(formatPem('CERTIFICATE REQUEST', changed)));
    expect(hasCode(error, 'unauthenticated')).toBe(true);
    expect((error as Error).message).toBe('the signature of the certificate request is not by its key');
    for (let length = 0; length < der.length; length++) {
      const cut = formatPem('CERTIFICATE REQUEST', der.subarray(0, length));
      expect(
        hasCode(
          thrownBy(() => readCertificateRequest(cut)),
          'invalid-argument',
        ),
      ).toBe(true);
    }
    expect(() => readCertificateRequest('')).toThrow(
      'no PEM block of type CERTIFICATE REQUEST or NEW CERTIFICATE REQUEST',
    );
    expect(() => createCertificateRequest({ privateKey: key, subject: {}, ipAddresses: ['10.0.0'] })).toThrow(
      '"10.0.0" is no IP address',
    );
  });
});

describe('a certificate', () => {
  it('is read as it was issued', () => {
    const pem = leaf({ ...names, usages: ['server auth', 'digital signature', 'key encipherment'] });
    expect(readCertificate(pem)).toMatchObject({
      subject: nodeSubject,
      issuer: { commonName: 'test-ca', organizations: [] },
      ...names,
      notBeforeMs: startMs,
      notAfterMs: startMs + 365 * day,
      usages: ['digital signature', 'key encipherment', 'server auth'],
      authority: false,
      pem,
    });
    expect(readCertificate(ca.certificate)).toMatchObject({ authority: true, issuer: { commonName: 'test-ca' } });
    expect(readCertificates(`# node\n${pem}${key}${ca.certificate}`).map(({ subject }) => subject.commonName)).toEqual([
      'system:node:n1',
      'test-ca',
    ]);
  });

  it("is good in OpenSSL's eyes", () => {
    const parsed = new X509Certificate(leaf(names));
    const issuer = new X509Certificate(ca.certificate);
    expect([parsed.checkIssued(issuer), parsed.verify(issuer.publicKey), issuer.verify(issuer.publicKey)]).toEqual([
      true,
      true,
      true,
    ]);
    expect([parsed.checkHost('n1.example.org'), parsed.checkIP('fd00::7'), parsed.checkHost('other')]).toEqual([
      'n1.example.org',
      'fd00::7',
      undefined,
    ]);
    expect([parsed.ca, issuer.ca]).toEqual([false, true]);
    expect(parsed.subject).toBe('O=system:nodes\nCN=system:node:n1');
    expect(parsed.keyUsage).toEqual(['1.3.6.1.5.5.7.3.2']);
  });

  it.each([
    ['1999-12-31T23:59:59Z', '2049-12-31T23:59:59Z'],
    ['2050-01-01T00:00:00Z', '9999-12-31T23:59:59Z'],
  ])('is valid from %s to %s', (from, to) => {
    const pem = leaf({ notBeforeMs: Date.parse(from), notAfterMs: Date.parse(to) });
    expect(readCertificate(pem)).toMatchObject({ notBeforeMs: Date.parse(from), notAfterMs: Date.parse(to) });
    expect(Date.parse(new X509Certificate(pem).validTo)).toBe(Date.parse(to));
  });

  it('has the serial number that was asked for, or one of its own', () => {
    expect(readCertificate(leaf({ serialHex: '00ff' })).serialHex).toBe('ff');
    expect(readCertificate(leaf({ serialHex: 'abc' })).serialHex).toBe('abc'.padStart(4, '0'));
    const [first, again, other] = [leaf(), leaf(), leaf({ notAfterMs: startMs + day })].map(readCertificate);
    expect(first?.serialHex).toBe(again?.serialHex);
    expect(first?.serialHex).not.toBe(other?.serialHex);
  });

  it.each([
    ['rsa', () => generateKeyPairSync('rsa', { modulusLength: 2048 })],
    ['P-384', () => generateKeyPairSync('ec', { namedCurve: 'P-384' })],
    ['P-521', () => generateKeyPairSync('ec', { namedCurve: 'P-521' })],
    ['Ed25519', () => generateKeyPairSync('ed25519')],
  ])('and a request can be signed by a key of type %s', (_type, generate) => {
    const { privateKey, publicKey } = generate();
    const pem = privateKey.export({ type: 'pkcs8', format: 'pem' }) as string;
    const times = { notBeforeMs: startMs, notAfterMs: startMs + day };
    const root = createSelfSignedCertificate({ subject: { commonName: 'r' }, privateKey: pem, usages: [], ...times });
    expect(new X509Certificate(root).verify(publicKey)).toBe(true);
    expect(readCertificateRequest(createCertificateRequest({ subject: {}, privateKey: pem })).subject).toEqual({
      commonName: '',
      organizations: [],
    });
  });

  it('is refused with the word or key that is wrong', () => {
    expect(() => leaf({ usages: ['world domination'] })).toThrow('"world domination" is no usage of a certificate');
    const { publicKey } = generateKeyPairSync('ec', { namedCurve: 'secp256k1' });
    const odd = generateKeyPairSync('ec', { namedCurve: 'secp256k1' }).privateKey.export({
      type: 'sec1',
      format: 'pem',
    });
    expect(() => createCertificateRequest({ subject: {}, privateKey: odd as string })).toThrow(
      'key of type ec secp256k1 is not supported',
    );
    expect(isKeyOf(publicKey, key)).toBe(false);
    expect(() => isKeyOf(publicKey, 'no key')).toThrow('not a private key in PEM');
    expect(() => readCertificate(formatPem('CERTIFICATE', Buffer.from('3003020101', 'hex')))).toThrow(
      'the certificate cannot be read',
    );
  });

  it('serves TLS in both directions', async () => {
    const times = { notBeforeMs: Date.now() - day, notAfterMs: Date.now() + day };
    const privateKey = await generatePrivateKey('rsa-2048');
    const certificate = createSelfSignedCertificate({
      subject: { commonName: 'root' },
      privateKey,
      usages: [],
      authority: true,
      ...times,
    });
    const authority = { certificate, privateKey };
    const issue = (usage: string): string =>
      issueCertificate(
        {
          subject: nodeSubject,
          publicKey: createPublicKey(key),
          usages: [usage],
          ipAddresses: ['127.0.0.1'],
          ...times,
        },
        authority,
      );
    const options = { key, ca: certificate };
    const server = createServer({ ...options, cert: issue('server auth'), requestCert: true }, (socket) =>
      socket.end(),
    );
    await once(server.listen(0, '127.0.0.1'), 'listening');
    const { port } = server.address() as AddressInfo;
    const socket = connect({ ...options, host: '127.0.0.1', port, cert: issue('client auth') });
    const [[peer]] = (await Promise.all([once(server, 'secureConnection'), once(socket, 'secureConnect')])) as [
      [{ authorized: boolean }],
      unknown,
    ];
    expect([socket.authorized, peer.authorized]).toEqual([true, true]);
    socket.destroy();
    server.close();
    await once(server, 'close');
  });
});

describe('PEM', () => {
  it('is found between other text, block by block', () => {
    const long = Buffer.alloc(100, 7);
    const text = `junk\n${formatPem('A B', long)}more\n${formatPem('C', Buffer.from('x'))}`;
    expect(pemBlocks(text)).toEqual([
      { label: 'A B', der: long },
      { label: 'C', der: Buffer.from('x') },
    ]);
    expect(Math.max(...text.split('\n').map(({ length }) => length))).toBe(64);
    expect(pemBlock(text, 'X', 'C').der.toString()).toBe('x');
  });

  it.each([
    ['a block of spaces without end', `-----BEGIN A-----\n${' '.repeat(1_000_000)}`],
    ['many begins without end', '-----BEGIN A-----\n'.repeat(100_000)],
    ['many begins before the end of another', `${'-----BEGIN A-----\n'.repeat(100_000)}-----END B-----\n`],
  ])('that is none costs no more the longer it is: %s', (_, text) => {
    // Hours when the cost of a byte grows with the number of bytes.
    expect([...pemBlocks(text), ...decodePem(text)]).toEqual([]);
  });

  it('with headers is read as Go reads it', () => {
    const block = (label: string, body: string, end = label): string =>
      `-----BEGIN ${label}-----\n${body}-----END ${end}-----`;
    const read = (text: string): readonly string[] =>
      decodePem(text).map(({ label, der }) => `${label}=${der.toString()}`);
    expect(read(`x\n${block('A', 'Proc-Type: 4\n\nYQ==\n')} \t\r\n${block('B', 'Y\ng==\n')}`)).toEqual(['A=a', 'B=b']);
    expect(read(`x ${block('A', 'YQ==\n')}`)).toEqual([]); // not at the begin of a line
    expect(read(`${block('A', 'YQ==\n')}x\n${block('B', '')}\n${block('C', 'no!\n')}`)).toEqual([]);
    expect(read(`${block('A', 'YQ==\n', 'B')}\n${block('C', 'Yw==\n')}\n`)).toEqual(['C=c']);
  });
});
