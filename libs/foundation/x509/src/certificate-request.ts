import type { KeyObject } from 'node:crypto';
import { createPublicKey } from 'node:crypto';
import { KubeletError } from '@podwright/errors';
import { decodeAlternativeNames, encodeAlternativeNames } from './alternative-names.js';
import type { AlternativeNames } from './alternative-names.js';
import { derExplicit, derInteger, derOid, derSequence, derSet } from './der/der-encode.js';
import { derChildren, derValues, readOid } from './der/der-decode.js';
import type { DerValue } from './der/der-decode.js';
import { decodeExtensions, encodeExtension, extensionOids } from './extensions.js';
import { formatPem, pemBlock } from './pem.js';
import { readPrivateKey } from './private-key.js';
import { signed, verifySigned } from './signature.js';
import { decodeSubject, encodeSubject } from './subject.js';
import type { Subject } from './subject.js';

export interface CertificateRequestOptions extends AlternativeNames {
  readonly subject: Subject;
  /** PEM. */
  readonly privateKey: string;
}

/** The contents of a certificate request whose signature is valid. */
export interface CertificateRequest extends Required<AlternativeNames> {
  readonly subject: Required<Subject>;
  readonly publicKey: KeyObject;
}

const extensionRequestOid = '1.2.840.113549.1.9.14';
const labels = ['CERTIFICATE REQUEST', 'NEW CERTIFICATE REQUEST'] as const;

/** Makes a PKCS#10 certificate request in PEM, like Go's x509.CreateCertificateRequest. Throws `invalid-argument`. */
export function createCertificateRequest(options: CertificateRequestOptions): string {
  const privateKey = readPrivateKey(options.privateKey);
  const names = encodeAlternativeNames(options);
  const empty = (options.subject.commonName ?? '') === '' && (options.subject.organizations ?? []).length === 0;
  const attribute =
    names === undefined
      ? Buffer.alloc(0)
      : derSequence(
          derOid(extensionRequestOid),
          // The names are critical when the subject is empty.
          derSet(derSequence(encodeExtension(extensionOids.alternativeNames, names, empty))),
        );
  const info = derSequence(
    derInteger(Buffer.from([0])),
    encodeSubject(options.subject),
    createPublicKey(privateKey).export({ type: 'spki', format: 'der' }),
    derExplicit(0, attribute),
  );
  return formatPem(labels[0], signed(info, privateKey));
}

/**
 * Reads a certificate request in PEM. Throws `invalid-argument` when it is malformed, `unauthenticated` when it is not
 * signed by its own key.
 */
export function readCertificateRequest(pem: string): CertificateRequest {
  const [request] = derValues(pemBlock(pem, ...labels).der);
  const [, subject, spki, attributes] = derChildren(derChildren(request)[0]);
  const publicKey = readPublicKey(spki);
  if (!isSignedBy(request, publicKey)) {
    const message = 'the signature of the certificate request is not by its key';
    throw new KubeletError(message, { code: 'unauthenticated' });
  }
  const extensions = decodeExtensions(requestedExtensions(attributes));
  return {
    subject: decodeSubject(subject),
    publicKey,
    ...decodeAlternativeNames(extensions.get(extensionOids.alternativeNames)),
  };
}

function requestedExtensions(attributes: DerValue | undefined): DerValue | undefined {
  for (const attribute of attributes === undefined ? [] : derChildren(attributes, 0xa0)) {
    const [oid, values] = derChildren(attribute);
    if (readOid(oid) === extensionRequestOid) return derChildren(values, 0x31)[0];
  }
  return undefined;
}

function isSignedBy(request: DerValue | undefined, publicKey: KeyObject): boolean {
  try {
    return verifySigned(request, publicKey);
  } catch (cause) {
    throw invalid('the signature of the certificate request cannot be checked', cause);
  }
}

function readPublicKey(spki: DerValue | undefined): KeyObject {
  try {
    return createPublicKey({ key: spki?.whole ?? Buffer.alloc(0), type: 'spki', format: 'der' });
  } catch (cause) {
    throw invalid('the public key of the certificate request cannot be read', cause);
  }
}

function invalid(message: string, cause?: unknown): KubeletError {
  return new KubeletError(message, { code: 'invalid-argument', cause });
}
