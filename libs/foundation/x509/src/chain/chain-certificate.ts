import { X509Certificate } from 'node:crypto';
import { KubeletError } from '@podwright/errors';
import {
  derChildren,
  derContent,
  derValues,
  readInteger,
  readNamedBits,
  readOid,
  readTime,
} from '../der/der-decode.js';
import type { DerValue } from '../der/der-decode.js';
import { extensionOids, readExtensions } from '../extensions.js';
import type { Extension } from '../extensions.js';
import { decodeNameAttributes } from '../subject.js';
import type { NameAttribute } from '../subject.js';

/** The parts of a certificate that decide whether it may be in a chain. */
export interface ChainCertificate {
  readonly der: Buffer;
  /** The certificate as OpenSSL parses it, which verifies signatures. */
  readonly parsed: X509Certificate;
  readonly serial: bigint;
  readonly subject: readonly NameAttribute[];
  readonly subjectDer: Buffer;
  readonly issuerDer: Buffer;
  readonly subjectKeyId: Buffer | undefined;
  readonly authorityKeyId: Buffer | undefined;
  /** Milliseconds since 1970. The certificate is valid from `notBeforeMs` to `notAfterMs`, both inclusive. */
  readonly notBeforeMs: number;
  readonly notAfterMs: number;
  /** 1 to 3. */
  readonly version: number;
  /** Whether it is an authority; undefined when the certificate does not say. */
  readonly authority: boolean | undefined;
  /** The most certificates between this one and the leaf; undefined without a limit. */
  readonly maxPathLength: number | undefined;
  /** True when the key usage includes `cert sign`, or there is no key usage. */
  readonly maySign: boolean;
  /** Object identifiers of the extended key usage; undefined allows everything. */
  readonly extendedUsages: readonly string[] | undefined;
  readonly hasAlternativeNames: boolean;
  readonly hasNameConstraints: boolean;
  /** It has a critical extension that this package does not know, so it must not be trusted. */
  readonly unhandledCritical: boolean;
  /** The algorithm of its signature; `hashOid` is the hash in the parameters of RSASSA-PSS. */
  readonly signatureAlgorithm: { readonly oid: string; readonly hashOid: string | undefined };
}

const understood: ReadonlySet<string> = new Set([...Object.values(extensionOids)]);
const certSignBit = 5;
const pssOid = '1.2.840.113549.1.1.10';

/**
 * Reads a certificate in DER. Throws `invalid-argument`; like Go, unlike OpenSSL, also when an extension occurs twice.
 */
export function readChainCertificate(bytes: Uint8Array): ChainCertificate {
  try {
    return read(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength));
  } catch (cause) {
    throw new KubeletError('the certificate cannot be read', { code: 'invalid-argument', cause });
  }
}

function read(der: Buffer): ChainCertificate {
  const parsed = new X509Certificate(der);
  const [whole, ...others] = derValues(der);
  if (others.length > 0) throw new Error('there is something after the certificate');
  const [content, algorithm] = derChildren(whole);
  const fields = derChildren(content);
  const versioned = fields[0]?.tag === 0xa0;
  const [serial, , issuer, validity, subject, , ...rest] = versioned ? fields.slice(1) : fields;
  const [notBefore, notAfter] = derChildren(validity);
  const wrapped = rest.find(({ tag }) => tag === 0xa3);
  const extensions = readExtensions(wrapped === undefined ? undefined : derChildren(wrapped, 0xa3)[0]);
  const value = (oid: string): DerValue | undefined => extensions.get(oid)?.value;
  const keyUsage = value(extensionOids.keyUsage);
  const extended = value(extensionOids.extendedKeyUsage);
  const keyId = value(extensionOids.subjectKeyId);
  return {
    der,
    parsed,
    serial: readInteger(serial),
    subject: decodeNameAttributes(subject),
    subjectDer: subject?.whole ?? Buffer.alloc(0),
    issuerDer: issuer?.whole ?? Buffer.alloc(0),
    subjectKeyId: keyId === undefined ? undefined : derContent(keyId, 0x04),
    authorityKeyId: authorityKeyId(value(extensionOids.authorityKeyId)),
    notBeforeMs: readTime(notBefore),
    notAfterMs: readTime(notAfter),
    version: versioned ? Number(readInteger(derChildren(fields[0], 0xa0)[0])) + 1 : 1,
    ...basicConstraints(value(extensionOids.basicConstraints)),
    maySign: keyUsage === undefined || readNamedBits(keyUsage).includes(certSignBit),
    extendedUsages: extended === undefined ? undefined : derChildren(extended).map(readOid),
    hasAlternativeNames: extensions.has(extensionOids.alternativeNames),
    hasNameConstraints: extensions.has(extensionOids.nameConstraints),
    unhandledCritical: [...extensions].some(isUnhandled),
    signatureAlgorithm: signatureAlgorithm(algorithm),
  };
}

const isUnhandled = ([oid, { critical }]: readonly [string, Extension]): boolean => critical && !understood.has(oid);

function authorityKeyId(extension: DerValue | undefined): Buffer | undefined {
  if (extension === undefined) return undefined;
  return derChildren(extension).find(({ tag }) => tag === 0x80)?.content;
}

function basicConstraints(extension: DerValue | undefined): Pick<ChainCertificate, 'authority' | 'maxPathLength'> {
  if (extension === undefined) return { authority: undefined, maxPathLength: undefined };
  const values = derChildren(extension);
  const flag = values.find(({ tag }) => tag === 0x01);
  const length = values.find(({ tag }) => tag === 0x02);
  return {
    authority: flag !== undefined && flag.content[0] !== 0,
    maxPathLength: length === undefined ? undefined : Number(readInteger(length)),
  };
}

function signatureAlgorithm(identifier: DerValue | undefined): ChainCertificate['signatureAlgorithm'] {
  const [oid, parameters] = derChildren(identifier);
  const name = readOid(oid);
  if (name !== pssOid || parameters === undefined) return { oid: name, hashOid: undefined };
  const hash = derChildren(parameters).find(({ tag }) => tag === 0xa0);
  return { oid: name, hashOid: hash === undefined ? undefined : readOid(derChildren(derChildren(hash, 0xa0)[0])[0]) };
}
