import type { KeyObject } from 'node:crypto';
import { sign, verify } from 'node:crypto';
import { KubeletError } from '@podwright/errors';
import { derBitString, derNull, derOid, derSequence } from './der/der-encode.js';
import { derChildren, readBitString, readOid } from './der/der-decode.js';
import type { DerValue } from './der/der-decode.js';

interface SignatureAlgorithm {
  readonly oid: string;
  /** The hash's name in node:crypto; null for keys that hash by themselves. */
  readonly digest: string | null;
  readonly withNull: boolean;
}

const algorithms: readonly SignatureAlgorithm[] = [
  { oid: '1.2.840.10045.4.3.2', digest: 'sha256', withNull: false },
  { oid: '1.2.840.10045.4.3.3', digest: 'sha384', withNull: false },
  { oid: '1.2.840.10045.4.3.4', digest: 'sha512', withNull: false },
  { oid: '1.2.840.113549.1.1.11', digest: 'sha256', withNull: true },
  { oid: '1.2.840.113549.1.1.12', digest: 'sha384', withNull: true },
  { oid: '1.2.840.113549.1.1.13', digest: 'sha512', withNull: true },
  { oid: '1.3.101.112', digest: null, withNull: false },
];

/** The algorithm identifier for signatures with this key, as Go's x509 chooses by default. */
export function signatureAlgorithm(key: KeyObject): Buffer {
  const { oid, withNull } = algorithmOf(key);
  return withNull ? derSequence(derOid(oid), derNull()) : derSequence(derOid(oid));
}

/** Signs the content of a certificate or a request: a sequence of content, algorithm and signature. */
export function signed(content: Uint8Array, key: KeyObject): Buffer {
  const signature = sign(algorithmOf(key).digest, content, key);
  return derSequence(content, signatureAlgorithm(key), derBitString(signature));
}

/** Verifies the signature of such a sequence with the public key `key`. Throws for an unsupported algorithm. */
export function verifySigned(whole: DerValue | undefined, key: KeyObject): boolean {
  const [content, identifier, signature] = derChildren(whole);
  const oid = readOid(derChildren(identifier)[0]);
  const algorithm = algorithms.find((candidate) => candidate.oid === oid);
  if (algorithm === undefined) throw unsupported(`signature algorithm ${oid}`);
  return verify(algorithm.digest, content?.whole ?? Buffer.alloc(0), key, readBitString(signature));
}

function algorithmOf(key: KeyObject): SignatureAlgorithm {
  const curves: Readonly<Record<string, number>> = { prime256v1: 0, secp384r1: 1, secp521r1: 2 };
  const { asymmetricKeyType: type, asymmetricKeyDetails: details } = key;
  const index =
    type === 'ec' ? curves[details?.namedCurve ?? ''] : type === 'rsa' ? 3 : type === 'ed25519' ? 6 : undefined;
  const algorithm = index === undefined ? undefined : algorithms[index];
  if (algorithm === undefined) throw unsupported(`key of type ${type ?? 'secret'} ${details?.namedCurve ?? ''}`.trim());
  return algorithm;
}

function unsupported(what: string): KubeletError {
  return new KubeletError(`${what} is not supported`, { code: 'invalid-argument' });
}
