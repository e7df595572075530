import type { KeyObject } from 'node:crypto';
import { X509Certificate } from 'node:crypto';
import { KubeletError } from '@podwright/errors';
import { decodeAlternativeNames } from './alternative-names.js';
import type { AlternativeNames } from './alternative-names.js';
import { derChildren, derContent, derValues, readTime } from './der/der-decode.js';
import type { DerValue } from './der/der-decode.js';
import { decodeExtensions, extensionOids } from './extensions.js';
import { formatPem, pemBlock, pemBlocks } from './pem.js';
import { decodeSubject } from './subject.js';
import type { Subject } from './subject.js';
import { decodeUsages } from './usages.js';
import type { CertificateUsage } from './usages.js';

/** The parts of a certificate that Kubernetes reads. */
export interface Certificate extends Required<AlternativeNames> {
  readonly subject: Required<Subject>;
  readonly issuer: Required<Subject>;
  /** Milliseconds since 1970. The certificate is valid from `notBeforeMs` to `notAfterMs`, both inclusive. */
  readonly notBeforeMs: number;
  readonly notAfterMs: number;
  readonly usages: readonly CertificateUsage[];
  /** Whether the certificate is an authority, which may sign others. */
  readonly authority: boolean;
  /** Lower-case hex without leading zeros. */
  readonly serialHex: string;
  readonly publicKey: KeyObject;
  readonly subjectKeyId: Buffer | undefined;
  /** The subject in DER. A certificate that it signs must have exactly these bytes as its issuer. */
  readonly subjectDer: Buffer;
  /** Only this certificate, without its chain. */
  readonly pem: string;
}

const label = 'CERTIFICATE';

/** The first certificate of a PEM text: the leaf of a chain. Throws `invalid-argument` when there is none. */
export function readCertificate(pem: string): Certificate {
  return decode(pemBlock(pem, label).der);
}

/** All certificates of a PEM text, in their order. Throws `invalid-argument` when one cannot be read. */
export function readCertificates(pem: string): readonly Certificate[] {
  return pemBlocks(pem)
    .filter((block) => block.label === label)
    .map(({ der }) => decode(der));
}

function decode(der: Buffer): Certificate {
  const publicKey = publicKeyOf(der);
  const [whole] = derValues(der);
  const fields = derChildren(derChildren(whole)[0]);
  // The first field is the version, which a certificate of version 1 lacks.
  const [serial, , issuer, validity, subject, , ...rest] = fields[0]?.tag === 0xa0 ? fields.slice(1) : fields;
  const [notBefore, notAfter] = derChildren(validity);
  const wrapped = rest.find(({ tag }) => tag === 0xa3);
  const extensions = decodeExtensions(wrapped === undefined ? undefined : derChildren(wrapped, 0xa3)[0]);
  const oids = extensionOids;
  const keyId = extensions.get(oids.subjectKeyId);
  return {
    subject: decodeSubject(subject),
    issuer: decodeSubject(issuer),
    notBeforeMs: readTime(notBefore),
    notAfterMs: readTime(notAfter),
    ...decodeAlternativeNames(extensions.get(oids.alternativeNames)),
    usages: decodeUsages(extensions.get(oids.keyUsage), extensions.get(oids.extendedKeyUsage)),
    authority: isAuthority(extensions.get(oids.basicConstraints)),
    serialHex: derContent(serial, 0x02)
      .toString('hex')
      .replace(/^(00)+(?=.)/, ''),
    publicKey,
    subjectKeyId: keyId === undefined ? undefined : derContent(keyId, 0x04),
    subjectDer: subject?.whole ?? Buffer.alloc(0),
    pem: formatPem(label, der),
  };
}

function isAuthority(basicConstraints: DerValue | undefined): boolean {
  if (basicConstraints === undefined) return false;
  const [flag] = derChildren(basicConstraints);
  return flag?.tag === 0x01 && flag.content[0] !== 0;
}

/** Parses with OpenSSL, so that TLS does not later refuse what is accepted here. */
function publicKeyOf(der: Buffer): KeyObject {
  try {
    return new X509Certificate(der).publicKey;
  } catch (cause) {
    throw new KubeletError('the certificate cannot be read', { code: 'invalid-argument', cause });
  }
}
