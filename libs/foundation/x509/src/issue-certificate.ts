import type { KeyObject } from 'node:crypto';
import { createHash, createPublicKey } from 'node:crypto';
import { encodeAlternativeNames } from './alternative-names.js';
import type { AlternativeNames } from './alternative-names.js';
import {
  derBoolean,
  derExplicit,
  derImplicit,
  derInteger,
  derOctetString,
  derSequence,
  derTime,
} from './der/der-encode.js';
import { derChildren, derValues, readBitString } from './der/der-decode.js';
import { encodeExtension, extensionOids } from './extensions.js';
import { formatPem } from './pem.js';
import { readPrivateKey } from './private-key.js';
import { readCertificate } from './read-certificate.js';
import { signatureAlgorithm, signed } from './signature.js';
import { encodeSubject } from './subject.js';
import type { Subject } from './subject.js';
import { encodeUsages } from './usages.js';

export interface CertificateOptions extends AlternativeNames {
  readonly subject: Subject;
  /** Milliseconds since 1970, rounded down to seconds. */
  readonly notBeforeMs: number;
  readonly notAfterMs: number;
  /** Key usages as certificates.k8s.io/v1 names them: `digital signature`, `client auth`, ... */
  readonly usages: readonly string[];
  /** Makes the certificate an authority, and adds `cert sign` to its usages. Default false. */
  readonly authority?: boolean;
  /**
   * Serial number in hex, up to 20 bytes. Default: derived from the contents, so that equal calls give equal numbers.
   */
  readonly serialHex?: string;
}

/** The certificate and private key of an authority, both PEM. */
export interface CertificateAuthority {
  readonly certificate: string;
  readonly privateKey: string;
}

/** Issues a certificate (X.509 v3, PEM) for a public key, signed by the authority. Throws `invalid-argument`. */
export function issueCertificate(
  options: CertificateOptions & { readonly publicKey: KeyObject },
  authority: CertificateAuthority,
): string {
  const issuer = readCertificate(authority.certificate);
  return certificate(options, {
    publicKey: options.publicKey,
    issuerName: issuer.subjectDer,
    issuerKeyId: issuer.subjectKeyId,
    signingKey: readPrivateKey(authority.privateKey),
  });
}

/** Makes a self-signed certificate (PEM); with `authority` it is the root of a chain. Throws `invalid-argument`. */
export function createSelfSignedCertificate(options: CertificateOptions & { readonly privateKey: string }): string {
  const signingKey = readPrivateKey(options.privateKey);
  const publicKey = createPublicKey(signingKey);
  const issuerName = encodeSubject(options.subject);
  return certificate(options, { publicKey, issuerName, issuerKeyId: undefined, signingKey });
}

interface Signing {
  readonly publicKey: KeyObject;
  readonly issuerName: Buffer;
  readonly issuerKeyId: Buffer | undefined;
  readonly signingKey: KeyObject;
}

function certificate(options: CertificateOptions, signing: Signing): string {
  const spki = signing.publicKey.export({ type: 'spki', format: 'der' });
  const subject = encodeSubject(options.subject);
  const validity = derSequence(derTime(options.notBeforeMs), derTime(options.notAfterMs));
  const extensions = encodeExtensions(options, keyIdOf(spki), signing.issuerKeyId);
  const serial =
    options.serialHex === undefined
      ? derivedSerial(spki, signing.issuerName, subject, validity, extensions)
      : Buffer.from(options.serialHex.padStart(40, '0'), 'hex');
  const content = derSequence(
    derExplicit(0, derInteger(Buffer.from([2]))),
    derInteger(serial),
    signatureAlgorithm(signing.signingKey),
    signing.issuerName,
    validity,
    subject,
    spki,
    derExplicit(3, extensions),
  );
  return formatPem('CERTIFICATE', signed(content, signing.signingKey));
}

function encodeExtensions(options: CertificateOptions, keyId: Buffer, issuerKeyId: Buffer | undefined): Buffer {
  const { authority = false, subject } = options;
  const { keyUsage, extended } = encodeUsages([...options.usages, ...(authority ? ['cert sign'] : [])]);
  const names = encodeAlternativeNames(options);
  const nameless = (subject.commonName ?? '') === '' && (subject.organizations ?? []).length === 0;
  const oids = extensionOids;
  return derSequence(
    ...(keyUsage === undefined ? [] : [encodeExtension(oids.keyUsage, keyUsage, true)]),
    ...(extended === undefined ? [] : [encodeExtension(oids.extendedKeyUsage, extended)]),
    encodeExtension(oids.basicConstraints, derSequence(...(authority ? [derBoolean(true)] : [])), true),
    encodeExtension(oids.subjectKeyId, derOctetString(keyId)),
    ...(issuerKeyId === undefined
      ? []
      : [encodeExtension(oids.authorityKeyId, derSequence(derImplicit(0, issuerKeyId)))]),
    ...(names === undefined ? [] : [encodeExtension(oids.alternativeNames, names, nameless)]),
  );
}

/** The key id by RFC 7093's first method, as in Go since 1.25: 160 bits of the key's SHA-256. */
function keyIdOf(spki: Buffer): Buffer {
  const [, key] = derChildren(derValues(spki)[0]);
  return createHash('sha256').update(readBitString(key)).digest().subarray(0, 20);
}

// Different certificates of one authority must have different numbers; equal ones may have the same.
function derivedSerial(...parts: readonly Buffer[]): Buffer {
  const hash = createHash('sha256');
  for (const part of parts) hash.update(part);
  return hash.digest().subarray(0, 16);
}
