import { isIPv6 } from 'node:net';

const groupsOfNetwork = 4;

/**
 * Who shares a limit with whom: an IPv4 address alone; of an IPv6 address its network of 64 bits, because a single
 * machine can use all addresses in it.
 */
export function tokenSource(address: string): string {
  const [plain = ''] = address.split('%');
  if (!isIPv6(plain)) return plain;
  // The URL parser writes each group in its shortest form, and an embedded IPv4 address as two groups.
  const [head = '', tail] = new URL(`http://[${plain}]`).hostname.slice(1, -1).split('::');
  const before = head === '' ? [] : head.split(':');
  const after = tail === undefined || tail === '' ? [] : tail.split(':');
  const zeros = tail === undefined ? [] : Array.from({ length: 8 - before.length - after.length }, () => '0');
  return `${[...before, ...zeros, ...after].slice(0, groupsOfNetwork).join(':')}::/64`;
}
