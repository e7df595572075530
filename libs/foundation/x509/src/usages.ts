import { KubeletError } from '@podwright/errors';
import { derNamedBits, derOid, derSequence } from './der/der-encode.js';
import { derChildren, readNamedBits, readOid } from './der/der-decode.js';
import type { DerValue } from './der/der-decode.js';

/** The bits of the key usage extension, by their names in certificates.k8s.io/v1. */
const keyUsageBits = {
  'digital signature': 0,
  'content commitment': 1,
  'key encipherment': 2,
  'data encipherment': 3,
  'key agreement': 4,
  'cert sign': 5,
  'crl sign': 6,
  'encipher only': 7,
  'decipher only': 8,
} as const;

const extendedUsageOids = {
  any: '2.5.29.37.0',
  'server auth': '1.3.6.1.5.5.7.3.1',
  'client auth': '1.3.6.1.5.5.7.3.2',
  'code signing': '1.3.6.1.5.5.7.3.3',
  'email protection': '1.3.6.1.5.5.7.3.4',
  timestamping: '1.3.6.1.5.5.7.3.8',
  'ocsp signing': '1.3.6.1.5.5.7.3.9',
} as const;

/** A usage of a certificate, as a CertificateSigningRequest names it. */
export type CertificateUsage = keyof typeof keyUsageBits | keyof typeof extendedUsageOids;

const isKeyUsage = (usage: string): usage is keyof typeof keyUsageBits => Object.hasOwn(keyUsageBits, usage);
const isExtended = (usage: string): usage is keyof typeof extendedUsageOids => Object.hasOwn(extendedUsageOids, usage);

/**
 * Encodes the values of both usage extensions; one is absent when no usage needs it. Throws `invalid-argument` for an
 * unknown usage.
 */
export function encodeUsages(usages: readonly string[]): { keyUsage?: Buffer; extended?: Buffer } {
  const unknown = usages.find((usage) => !isKeyUsage(usage) && !isExtended(usage));
  if (unknown !== undefined) {
    throw new KubeletError(`${JSON.stringify(unknown)} is no usage of a certificate`, { code: 'invalid-argument' });
  }
  const bits = usages.filter(isKeyUsage).map((usage) => keyUsageBits[usage]);
  const oids = usages.filter(isExtended).map((usage) => extendedUsageOids[usage]);
  return {
    ...(bits.length > 0 && { keyUsage: derNamedBits(bits) }),
    ...(oids.length > 0 && { extended: derSequence(...oids.map(derOid)) }),
  };
}

/** Decodes both usage extensions; skips unknown usages. */
export function decodeUsages(
  keyUsage: DerValue | undefined,
  extended: DerValue | undefined,
): readonly CertificateUsage[] {
  const bits = keyUsage === undefined ? [] : readNamedBits(keyUsage);
  const oids = extended === undefined ? [] : derChildren(extended).map(readOid);
  return [
    ...(Object.keys(keyUsageBits) as (keyof typeof keyUsageBits)[]).filter((usage) =>
      bits.includes(keyUsageBits[usage]),
    ),
    ...(Object.keys(extendedUsageOids) as (keyof typeof extendedUsageOids)[]).filter((usage) =>
      oids.includes(extendedUsageOids[usage]),
    ),
  ];
}
