import os from 'node:os';
import { canonicalIp, ipFamily } from '@podwright/kube-types';
import { tableRows } from './table-rows.js';

export interface InterfaceAddress {
  /** Empty when the kernel does not say whose address it is. */
  readonly interfaceName: string;
  readonly address: string;
  readonly internal: boolean;
}

/** Texts of the kernel's tables; empty for one that the machine does not have. */
export interface AddressTables {
  /** `/proc/net/fib_trie` */
  readonly fibTrie: string;
  /** `/proc/net/route` */
  readonly route: string;
  /** `/proc/net/if_inet6` */
  readonly ifInet6: string;
}

/**
 * Addresses of interfaces. Node.js leaves out interfaces without carrier, such as a bridge that lost its ports; the kernel's
 * tables have their addresses, but `/proc` names no interface for those of IPv4: the connected routes do.
 */
export function interfaceAddresses(
  { fibTrie, route, ifInet6 }: AddressTables,
  interfaces: NodeJS.Dict<readonly Pick<os.NetworkInterfaceInfo, 'address' | 'internal'>[]> = os.networkInterfaces(),
): readonly InterfaceAddress[] {
  const listed = Object.entries(interfaces).flatMap(([interfaceName, addresses = []]) =>
    addresses.map(({ address, internal }) => ({ interfaceName, address: address.replace(/%.*$/, ''), internal })),
  );
  const known = new Set(listed.map(({ interfaceName, address }) => `${interfaceName} ${canonicalIp(address)}`));
  const ipv4 = listed.filter(({ address }) => ipFamily(address) === 4);
  const connected = connectedRoutes(route).filter(
    ({ interfaceName }) => !ipv4.some((entry) => entry.interfaceName === interfaceName),
  );
  const hidden = [
    ...ipv4LocalAddresses(fibTrie)
      .filter((address) => !ipv4.some((entry) => entry.address === address))
      .map((address) => ({ interfaceName: interfaceOf(address, connected), address })),
    ...ipv6Addresses(ifInet6).filter(({ interfaceName, address }) => !known.has(`${interfaceName} ${address}`)),
  ];
  return [...listed, ...hidden.map((entry) => ({ ...entry, internal: false }))];
}

/** Parses `/proc/net/fib_trie`: an address stands on the line before its `/32 host LOCAL`, in one table or in two. */
function ipv4LocalAddresses(fibTrie: string): readonly string[] {
  const found = fibTrie.matchAll(/\|-- (\S+)\n\s*\/32 host LOCAL/g);
  return [...new Set([...found].map(([, address = '']) => address))];
}

/** Parses `/proc/net/if_inet6`. */
function ipv6Addresses(ifInet6: string): readonly Pick<InterfaceAddress, 'interfaceName' | 'address'>[] {
  return tableRows(ifInet6).flatMap(([digits = '', , , , , interfaceName = '']) => {
    const address = canonicalIp(digits.match(/.{4}/g)?.join(':') ?? '');
    return address === undefined ? [] : [{ interfaceName, address }];
  });
}

interface ConnectedRoute {
  readonly interfaceName: string;
  readonly network: number;
  readonly mask: number;
}

/** Routes of `/proc/net/route` without a gateway, longest prefix first. */
function connectedRoutes(route: string): readonly ConnectedRoute[] {
  return tableRows(route)
    .filter(([name, , gateway]) => name !== 'Iface' && gateway === '00000000')
    .map(([interfaceName = '', destination = '', , , , , , mask = '']) => ({
      interfaceName,
      network: fromKernelHex(destination),
      mask: fromKernelHex(mask),
    }))
    .filter(({ mask }) => mask !== 0)
    .sort((left, right) => right.mask - left.mask);
}

function interfaceOf(address: string, connected: readonly ConnectedRoute[]): string {
  const number = Buffer.from(address.split('.').map(Number)).readUInt32BE();
  return connected.find(({ network, mask }) => (number & mask) >>> 0 === network)?.interfaceName ?? '';
}

// The kernel prints the four bytes as one number of its own byte order.
function fromKernelHex(digits: string): number {
  const bytes = Buffer.from(digits.padStart(8, '0'), 'hex');
  return os.endianness() === 'LE' ? bytes.readUInt32LE() : bytes.readUInt32BE();
}
