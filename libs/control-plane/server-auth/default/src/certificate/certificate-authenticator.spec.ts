import { beforeAll, describe, expect, it } from '@jest/globals';
import { hasCode, messageOf } from '@podwright/errors';
import { createMetricsRegistry, type MetricsRegistry } from '@podwright/metrics';
import { VirtualClock } from '@podwright/time';
import { pemBlock, readChainCertificate } from '@podwright/x509';
import { TestAuthorities } from '../fixtures/test-authorities.js';
import { CertificateAuthenticator } from './certificate-authenticator.js';
import { createExpirationMetric } from './certificate-metrics.js';
import { userOfCertificate } from './user-of-certificate.js';

const uidOid = '1.3.6.1.4.1.57683.2';

const clock = new VirtualClock();
let metrics: MetricsRegistry;
let authorities: TestAuthorities;
let authenticator: CertificateAuthenticator;
beforeAll(async () => {
  metrics = createMetricsRegistry();
  authorities = await TestAuthorities.create(clock.now());
  const roots = [readChainCertificate(pemBlock(authorities.trusted.certificate, 'CERTIFICATE').der)];
  authenticator = new CertificateAuthenticator(
    {
      clock,
      expiration: createExpirationMetric(metrics),
      roots: () => roots,
    },
    { certificateUid: true },
  );
});

function refusal(chain: readonly Uint8Array[]): string {
  try {
    authenticator.authenticate(chain);
  } catch (error) {
    expect(hasCode(error, 'unauthenticated')).toBe(true);
    return messageOf(error);
  }
  throw new Error('not refused');
}

describe('a client certificate', () => {
  it('names the user, the groups and itself', () => {
    const chain = authorities.chain({ user: 'jane', groups: ['a', 'system:masters'] });
    expect(authenticator.authenticate(chain)).toEqual({
      name: 'jane',
      groups: ['a', 'system:masters'],
      extra: { 'authentication.kubernetes.io/credential-id': [expect.stringMatching(/^X509SHA256=[0-9a-f]{64}$/)] },
    });
  });

  it('is told by its numbers when it is refused', () => {
    const said = refusal(authorities.chain({ user: 'jane', authority: authorities.other }));
    expect(said).toMatch(
      /^verifying certificate SN=\d+, SKID=([0-9A-F]{2}:){19}[0-9A-F]{2}, AKID=([0-9A-F]{2}:){19}[0-9A-F]{2} failed: x509: certificate signed by unknown authority \(possibly because of /,
    );
  });

  it('may come with others that nobody needs, but not with any number', () => {
    const chain = authorities.chain({ user: 'jane' });
    const junk = authorities.chain({ user: 'x', authority: authorities.other });
    expect(authenticator.authenticate([...chain, ...junk, ...junk])).toMatchObject({ name: 'jane' });
    const fullest = [...chain, ...Array.from({ length: 19 }, () => junk[0] ?? Buffer.alloc(0))];
    expect(authenticator.authenticate(fullest)).toMatchObject({ name: 'jane' });
    expect(refusal([...chain, ...Array.from({ length: 20 }, () => junk[0] ?? Buffer.alloc(0))])).toBe(
      'a client certificate with a chain of 21, more than 20',
    );
    expect(refusal([...chain, Buffer.from('junk')])).toContain('a client certificate that cannot be read');
    expect(refusal([Buffer.from('junk'), ...chain])).toBe('a client certificate that cannot be read');
    expect(authenticator.authenticate([])).toBeUndefined();
  });

  it('may repeat what nobody trusts, which costs no more than sending it once', () => {
    const chain = authorities.chain({ user: 'jane', authority: authorities.other });
    const { der } = pemBlock(authorities.other.certificate, 'CERTIFICATE');
    expect(refusal([...chain, ...Array.from({ length: 19 }, () => der)])).toMatch(
      /failed: x509: certificate signed by unknown authority/,
    );
  });

  it('is counted by the life that it has left, good or not', async () => {
    refusal(authorities.chain({ user: 'jane', notAfterMs: clock.now() - 1 }));
    const counts = async (): Promise<readonly (readonly string[])[]> =>
      [
        ...(await metrics.render()).matchAll(
          /^apiserver_client_certificate_expiration_seconds_bucket{le="(.*)"} (.*)$/gm,
        ),
      ].map(([, bound = '', count = '']) => [bound, count]);
    const before = await counts();
    expect(before[0]).toEqual(['0', '1']);
    expect(before.slice(0, -1).map(([bound]) => Number(bound) / 3_600)).toEqual([
      ...[0, 0.5, 1, 2, 6, 12, 24, 48, 96, 168, 720, 2_160, 4_320, 8_640],
    ]);
    authenticator.authenticate(authorities.chain({ user: 'jane', notAfterMs: clock.now() + 5_400_000 }));
    const more = (await counts()).filter(([, count], index) => count !== before[index]?.[1]);
    expect(more[0]?.[0]).toBe('7200');
  });

  it('must be for clients', () => {
    expect(refusal(authorities.chain({ user: 'jane', usage: 'server auth' }))).toMatch(
      /failed: x509: certificate specifies an incompatible key usage$/,
    );
  });

  const attribute = (oid: string, value: string): { oid: string; value: string } => ({ oid, value });
  const cn = attribute('2.5.4.3', 'jane');
  const user = (...subject: { oid: string; value: string }[]): unknown =>
    userOfCertificate({ subject, der: Buffer.from('x') }, { certificateUid: true });
  it('may have a UID, and one only', () => {
    expect(user(cn, attribute(uidOid, 'id-1'))).toMatchObject({ name: 'jane', uid: 'id-1', groups: [] });
    expect(user(cn)).not.toHaveProperty('uid');
    const refused = (message: string): unknown => expect.objectContaining({ code: 'unauthenticated', message });
    expect(() => user(cn, attribute(uidOid, 'a'), attribute(uidOid, 'b'))).toThrow(
      refused('expected 1 UID, but found multiple: [a b]') as Error,
    );
    expect(() => user(cn, attribute(uidOid, ''))).toThrow(refused('UID cannot be an empty string') as Error);
  });

  it('has no UID while the gate is off, however many the certificate names', () => {
    const subject = [cn, attribute(uidOid, 'a'), attribute(uidOid, 'b')];
    expect(userOfCertificate({ subject, der: Buffer.from('x') }, { certificateUid: false })).not.toHaveProperty('uid');
  });

  it('is of the last common name', () => {
    expect(user(cn, attribute('2.5.4.3', 'joe'))).toMatchObject({ name: 'joe' });
    expect(user(cn, attribute('2.5.4.3', ''))).toBeUndefined();
  });
});
