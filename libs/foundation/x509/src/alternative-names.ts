import { isIPv4, isIPv6 } from 'node:net';
import { KubeletError } from '@podwright/errors';
import { derImplicit, derSequence } from './der/der-encode.js';
import { derChildren } from './der/der-decode.js';
import type { DerValue } from './der/der-decode.js';

/** The subject alternative names that Kubernetes uses. */
export interface AlternativeNames {
  readonly dnsNames?: readonly string[];
  /** IPv4 or IPv6, without a zone. */
  readonly ipAddresses?: readonly string[];
}

const dnsTag = 2;
const ipTag = 7;

/**
 * Encodes the extension's value; undefined when there are no names. Throws `invalid-argument` for an invalid address.
 */
export function encodeAlternativeNames(names: AlternativeNames): Buffer | undefined {
  const { dnsNames = [], ipAddresses = [] } = names;
  if (dnsNames.length + ipAddresses.length === 0) return undefined;
  return derSequence(
    ...dnsNames.map((name) => derImplicit(dnsTag, Buffer.from(name, 'latin1'))),
    ...ipAddresses.map((address) => derImplicit(ipTag, addressBytes(address))),
  );
}

/** Decodes the extension's value, without names of other kinds (mail, URI). Addresses are in canonical form. */
export function decodeAlternativeNames(extension: DerValue | undefined): Required<AlternativeNames> {
  const names = extension === undefined ? [] : derChildren(extension);
  const ofKind = (kind: number): readonly Buffer[] =>
    names.filter(({ tag }) => (tag & 0xdf) === (0x80 | kind)).map(({ content }) => content);
  return {
    dnsNames: ofKind(dnsTag).map((content) => content.toString('latin1')),
    ipAddresses: ofKind(ipTag).map(addressText),
  };
}

function addressBytes(address: string): Buffer {
  if (isIPv4(address)) return Buffer.from(address.split('.').map(Number));
  if (!isIPv6(address) || address.includes('%')) {
    throw new KubeletError(`${JSON.stringify(address)} is no IP address`, { code: 'invalid-argument' });
  }
  const bytes = Buffer.from(expandIpv6(address).flatMap((group) => [group >> 8, group & 0xff]));
  // Like Go, encodes an IPv4-mapped IPv6 address as the four bytes of IPv4.
  return mappedIpv4.equals(bytes.subarray(0, 12)) ? bytes.subarray(12) : bytes;
}

const mappedIpv4 = Buffer.from([0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xff]);

/** The eight groups of an IPv6 address. The URL parser reads all notations, also one that ends in an IPv4 address. */
function expandIpv6(address: string): readonly number[] {
  const canonical = new URL(`http://[${address}]`).hostname.slice(1, -1);
  const [head = '', tail] = canonical.split('::');
  const groups = (text: string | undefined): number[] =>
    text === undefined || text === '' ? [] : text.split(':').map((group) => Number.parseInt(group, 16));
  const [before, after] = [groups(head), groups(tail)];
  return [...before, ...Array.from({ length: 8 - before.length - after.length }, () => 0), ...after];
}

function addressText(bytes: Buffer): string {
  if (bytes.length === 4) return bytes.join('.');
  if (bytes.length !== 16) {
    throw new KubeletError(`an IP address of ${bytes.length} bytes`, { code: 'invalid-argument' });
  }
  const groups = Array.from({ length: 8 }, (_unused, index) => bytes.readUInt16BE(index * 2).toString(16));
  return new URL(`http://[${groups.join(':')}]`).hostname.slice(1, -1);
}
