import { isIPv4, SocketAddress } from 'node:net';

/** 4 or 6 for an address without a zone, 0 for anything else, such as (as in Go) IPv4 octets with leading zeros. */
export function ipFamily(text: string): 0 | 4 | 6 {
  if (!text.includes(':')) return isIPv4(text) ? 4 : 0;
  return isIpv6(text) ? 6 : 0;
}

/** As Node's `isIPv6`, which compiles a large expression when it is first called: 10 ms of each start on Node 20. */
function isIpv6(text: string): boolean {
  if (!/^[\da-f:.]+$/i.test(text)) return false;
  try {
    return new SocketAddress({ address: text, family: 'ipv6' }).family === 'ipv6';
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ERR_INVALID_ADDRESS') return false;
    throw error;
  }
}

/** The address as Go prints it: IPv6 in lower case in its shortest form. Undefined when `text` is no address. */
export function canonicalIp(text: string): string | undefined {
  // Upstream's sloppy parser reads an octet with leading zeros as decimal.
  const octets = /^\d+(\.\d+){3}$/.test(text) ? text.split('.').map(Number).join('.') : text;
  const family = ipFamily(octets);
  if (family === 0) return undefined;
  return family === 4 ? octets : new SocketAddress({ address: octets, family: 'ipv6' }).address;
}

/** The faults of `text` as an IP address; empty when it is valid. Upstream's `IsValidIP`. */
export function ipAddress(text: string): readonly string[] {
  return ipFamily(text) === 0 ? ['must be a valid IP address, (e.g. 10.9.8.7 or 2001:db8::ffff)'] : [];
}

/**
 * The faults of `text` as an address of a field that is older than the strict rules; without `strict`, leading zeros and
 * IPv4 in an IPv6 form are valid. Source: kubernetes v1.36 apimachinery pkg/util/validation/ip.go
 * IsValidIPForLegacyField.
 */
export function legacyIpAddress(text: string, strict: boolean): readonly string[] {
  const canonical = canonicalIp(text);
  if (canonical === undefined) return ipAddress(text);
  if (!strict) return [];
  if (ipFamily(text) === 0) return ['must not have leading 0s'];
  return canonical.startsWith('::ffff:') && canonical.includes('.') ? ['must not be an IPv4-mapped IPv6 address'] : [];
}

/** The faults of `text` as a CIDR, `address/prefix`; empty when it is valid. */
export function cidr(text: string): readonly string[] {
  return parseCidr(text) === undefined ? ['must be a valid CIDR value, (e.g. 10.9.8.0/24 or 2001:db8::/64)'] : [];
}

export interface Cidr {
  readonly address: string;
  readonly prefix: number;
  readonly family: 4 | 6;
}

/** Parses a CIDR such as `10.0.0.0/8`; host bits may be set. Undefined when `text` is none. */
export function parseCidr(text: string): Cidr | undefined {
  const match = /^([^/]+)\/(0|[1-9]\d{0,2})$/.exec(text);
  const [address, prefix] = [match?.[1] ?? '', Number(match?.[2])];
  const family = ipFamily(address);
  if (match === null || family === 0 || prefix > (isIPv4(address) ? 32 : 128)) return undefined;
  return { address, prefix, family };
}
