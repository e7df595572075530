import { ipFamily } from '@podwright/kube-types';
import { BlockList } from 'node:net';

/** Classifies an address as Go's net.IP does; all false for a text that is not an address. */
export interface IpKind {
  readonly unspecified: boolean;
  readonly loopback: boolean;
  readonly multicast: boolean;
  readonly linkLocal: boolean;
  /** None of the others, nor the broadcast address. Includes private addresses. */
  readonly globalUnicast: boolean;
}

const list = (subnets: readonly (readonly [string, number, 'ipv4' | 'ipv6'])[]): BlockList => {
  const blocks = new BlockList();
  for (const [network, prefix, family] of subnets) blocks.addSubnet(network, prefix, family);
  return blocks;
};
const unspecified = list([
  ['0.0.0.0', 32, 'ipv4'],
  ['::', 128, 'ipv6'],
]);
const loopback = list([
  ['127.0.0.0', 8, 'ipv4'],
  ['::1', 128, 'ipv6'],
]);
const multicast = list([
  ['224.0.0.0', 4, 'ipv4'],
  ['ff00::', 8, 'ipv6'],
]);
const linkLocal = list([
  ['169.254.0.0', 16, 'ipv4'],
  ['fe80::', 10, 'ipv6'],
]);

/** Classifies an address. Source: Go's net.IP. */
export function ipKind(address: string): IpKind {
  const family = ipFamily(address) === 6 ? 'ipv6' : 'ipv4';
  const known = ipFamily(address) !== 0;
  const among = (blocks: BlockList): boolean => known && blocks.check(address, family);
  const kind = {
    unspecified: among(unspecified),
    loopback: among(loopback),
    multicast: among(multicast),
    linkLocal: among(linkLocal),
  };
  const special = Object.values(kind).includes(true) || address === '255.255.255.255';
  return { ...kind, globalUnicast: known && !special };
}
