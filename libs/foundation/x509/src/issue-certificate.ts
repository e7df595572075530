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
  /** Milliseconds since 1970; fractions of a second are cut off. */
  readonly notBeforeMs: number;
  readonly notAfterMs: number;
  /** In the words of certificates.k8s.io/v1: `digital signature`, `client auth`, ... */
  readonly usages: readonly string[];
  /** May sign other certificates; adds `cert sign` to what it may be used for. Default false. */
  readonly authority?: boolean;
  /** Hex, up to 20 bytes. Default: made from key, names and times, so that the same call gives the same number. */
  readonly serialHex?: string;
}

/** A certificate that signs others, with its key. Both PEM. */
export interface CertificateAuthority {
  readonly certificate: string;
  readonly privateKey: string;
}

/** A certificate (X.509 v3, PEM) for somebody's public key, signed by the authority. Throws `invalid-argument`. */
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

/** A certificate for a key that signs it itself; with `authority` the root of a chain. Throws `invalid-argument`. */
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

/** RFC 7093's first method: 160 bits of the SHA-256 of the key, as Go does since 1.25. */
function keyIdOf(spki: Buffer): Buffer {
  const [, key] = derChildren(derValues(spki)[0]);
  return createHash('sha256').update(readBitString(key)).digest().subarray(0, 20);
}

// Two certificates of one authority must not share a number; equal ones may.
function derivedSerial(...parts: readonly Buffer[]): Buffer {
  const hash = createHash('sha256');
  for (const part of parts) hash.update(part);
  return hash.digest().subarray(0, 16);
}
