import { KubeletError, messageOf } from '@podwright/errors';
import type { Histogram } from '@podwright/metrics';
import type { UserInfo } from '@podwright/server-auth-interface';
import type { Clock } from '@podwright/time';
import { readChainCertificate, verifyChain, type ChainCertificate } from '@podwright/x509';
import { userOfCertificate, type CertificateUserOptions } from './user-of-certificate.js';

const clientAuthOid = '1.3.6.1.5.5.7.3.2';
// More than any real chain has; TLS would accept some hundred.
const mostCertificates = 20;

export interface CertificateAuthenticatorDeps {
  readonly clock: Pick<Clock, 'now'>;
  /** The current authorities. */
  readonly roots: () => readonly ChainCertificate[];
  /** Remaining lifetime of callers' certificates, in seconds. */
  readonly expiration: Histogram;
}

/**
 * Authenticates by client certificates. TLS has only verified that the client has the key of the first one. Source:
 * kubernetes v1.36 apiserver/pkg/authentication/request/x509/x509.go.
 */
export class CertificateAuthenticator {
  constructor(
    private readonly deps: CertificateAuthenticatorDeps,
    private readonly options: CertificateUserOptions,
  ) {}

  /**
   * The user; undefined without a certificate, or when a valid one has no common name. Throws `unauthenticated` for an
   * invalid one.
   */
  authenticate(sent: readonly Uint8Array[]): UserInfo | undefined {
    const [first, ...others] = sent;
    if (first === undefined) return undefined;
    if (sent.length > mostCertificates) {
      throw unauthenticated(`a client certificate with a chain of ${sent.length}, more than ${mostCertificates}`);
    }
    const leaf = read(first);
    const nowMs = this.deps.clock.now();
    this.deps.expiration.observe((leaf.notAfterMs - nowMs) / 1000);
    try {
      const intermediates = withoutRepetitions(others).map(read);
      verifyChain(leaf, { roots: this.deps.roots(), intermediates, nowMs, usageOid: clientAuthOid });
    } catch (cause) {
      throw unauthenticated(`verifying certificate ${identifierOf(leaf)} failed: ${messageOf(cause)}`, cause);
    }
    return userOfCertificate(leaf, this.options);
  }
}

function read(der: Uint8Array): ChainCertificate {
  try {
    return readChainCertificate(der);
  } catch (cause) {
    throw unauthenticated('a client certificate that cannot be read', cause);
  }
}

function withoutRepetitions(certificates: readonly Uint8Array[]): readonly Uint8Array[] {
  return certificates.filter(
    (one, index) => certificates.findIndex((other) => Buffer.compare(one, other) === 0) === index,
  );
}

/** Identifies the certificate for administrators: serial number, key id, key id of the authority. */
function identifierOf({ serial, subjectKeyId, authorityKeyId }: ChainCertificate): string {
  const hex = (bytes: Buffer | undefined): string =>
    (bytes?.toString('hex').toUpperCase().match(/../g) ?? []).join(':');
  return `SN=${serial}, SKID=${hex(subjectKeyId)}, AKID=${hex(authorityKeyId)}`;
}

function unauthenticated(message: string, cause?: unknown): KubeletError {
  return new KubeletError(message, { code: 'unauthenticated', cause });
}
