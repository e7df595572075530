import { derBoolean, derOctetString, derOid, derSequence } from './der/der-encode.js';
import { derChildren, derContent, derValues, readOid } from './der/der-decode.js';
import type { DerValue } from './der/der-decode.js';

/** Object identifiers of the extensions of RFC 5280 that are written or read here. */
export const extensionOids = {
  subjectKeyId: '2.5.29.14',
  keyUsage: '2.5.29.15',
  alternativeNames: '2.5.29.17',
  basicConstraints: '2.5.29.19',
  authorityKeyId: '2.5.29.35',
  extendedKeyUsage: '2.5.29.37',
} as const;

export function encodeExtension(oid: string, value: Uint8Array, critical = false): Buffer {
  return derSequence(derOid(oid), ...(critical ? [derBoolean(true)] : []), derOctetString(value));
}

/** The values by object identifier, from the sequence of all extensions. */
export function decodeExtensions(sequence: DerValue | undefined): ReadonlyMap<string, DerValue> {
  const values = new Map<string, DerValue>();
  for (const extension of sequence === undefined ? [] : derChildren(sequence)) {
    const parts = derChildren(extension);
    const [value] = derValues(derContent(parts.at(-1), 0x04));
    if (value !== undefined) values.set(readOid(parts[0]), value);
  }
  return values;
}
