import { KubeletError } from '@podwright/errors';
import { derBoolean, derOctetString, derOid, derSequence } from './der/der-encode.js';
import { derChildren, derContent, derValues, readOid } from './der/der-decode.js';
import type { DerValue } from './der/der-decode.js';

/** Object identifiers of the RFC 5280 extensions that this package supports. */
export const extensionOids = {
  subjectKeyId: '2.5.29.14',
  keyUsage: '2.5.29.15',
  alternativeNames: '2.5.29.17',
  basicConstraints: '2.5.29.19',
  nameConstraints: '2.5.29.30',
  authorityKeyId: '2.5.29.35',
  extendedKeyUsage: '2.5.29.37',
} as const;

export function encodeExtension(oid: string, value: Uint8Array, critical = false): Buffer {
  return derSequence(derOid(oid), ...(critical ? [derBoolean(true)] : []), derOctetString(value));
}

export interface Extension {
  readonly critical: boolean;
  readonly value: DerValue;
}

/** Reads a sequence of extensions, by object identifier. Throws `invalid-argument` when one occurs twice. */
export function readExtensions(sequence: DerValue | undefined): ReadonlyMap<string, Extension> {
  const found = new Map<string, Extension>();
  for (const extension of sequence === undefined ? [] : derChildren(sequence)) {
    const parts = derChildren(extension);
    const oid = readOid(parts[0]);
    const [value] = derValues(derContent(parts.at(-1), 0x04));
    const flag = parts.length > 2 ? derContent(parts[1], 0x01) : undefined;
    if (found.has(oid)) throw new KubeletError(`extension ${oid} twice`, { code: 'invalid-argument' });
    if (value !== undefined) found.set(oid, { critical: flag !== undefined && flag[0] !== 0, value });
  }
  return found;
}

/** As {@link readExtensions}, but only the values. */
export function decodeExtensions(sequence: DerValue | undefined): ReadonlyMap<string, DerValue> {
  return new Map([...readExtensions(sequence)].map(([oid, { value }]) => [oid, value]));
}
