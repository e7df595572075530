import { describe, expect, it } from '@jest/globals';
import { canonicalIp, type NodeAddress } from '@podwright/kube-types';
import { ipv4DefaultRoutes, ipv6DefaultRoutes, readHostNetwork, type HostNetwork } from './host-network.js';
import type { InterfaceAddress } from './interface-addresses.js';
import { ipKind } from './ip-kind.js';
import { nodeAddresses, providedNodeIps, type AddressOptions } from './node-addresses.js';
import { parseNodeIps } from './node-ip-flag.js';

const on = (interfaceName: string, address: string, internal = false): InterfaceAddress => ({
  interfaceName,
  address,
  internal,
});
const addresses = [
  on('lo', '127.0.0.1', true),
  on('lo', '::1', true),
  on('docker0', '172.17.0.1'),
  on('eth0', '192.0.2.7'),
  on('eth0', 'fe80::7'),
  on('eth0', '2001:db8::7'),
];
const network = (
  given: Partial<HostNetwork> & { readonly names?: Readonly<Record<string, readonly string[]>> } = {},
): HostNetwork => ({
  addresses: async () => addresses,
  defaultRoutes: async () => [
    { interfaceName: 'eth0', family: 4 },
    { interfaceName: 'eth0', family: 6 },
  ],
  lookup: async (name) => {
    const found = given.names?.[name];
    if (found === undefined) throw new Error('ENOTFOUND');
    return found;
  },
  ...given,
});
const options = (given: Partial<AddressOptions> = {}): AddressOptions => ({
  nodeName: 'n1',
  nodeIps: [],
  externalCloudProvider: false,
  ...given,
});
const texts = async (
  given: Partial<AddressOptions>,
  host: HostNetwork = network(),
  existing: readonly NodeAddress[] = [],
): Promise<readonly string[]> =>
  (await nodeAddresses(options(given), existing, host)).map(({ type, address }) => `${type} ${address}`);

describe('addresses of the node', () => {
  it.each<[string, Partial<AddressOptions>, HostNetwork, readonly string[]]>([
    ['one that is given', { nodeIps: ['172.17.0.1'] }, network(), ['InternalIP 172.17.0.1', 'Hostname n1']],
    [
      'two that are given, in their order',
      { nodeIps: ['2001:db8::7', '192.0.2.7'] },
      network(),
      ['InternalIP 2001:db8::7', 'InternalIP 192.0.2.7', 'Hostname n1'],
    ],
    [
      'a name that is an address',
      { nodeName: '198.51.100.1' },
      network(),
      ['InternalIP 198.51.100.1', 'Hostname 198.51.100.1'],
    ],
    [
      'what the resolver says, if it is of this machine',
      {},
      network({ names: { n1: ['203.0.113.9', '127.0.0.1', '172.17.0.1'] } }),
      ['InternalIP 172.17.0.1', 'Hostname n1'],
    ],
    [
      'IPv4 first, whatever the order of the resolver',
      {},
      network({ names: { n1: ['2001:db8::7', '192.0.2.7'] } }),
      ['InternalIP 192.0.2.7', 'Hostname n1'],
    ],
    [
      'IPv6 where there is no other',
      {},
      network({ names: { n1: ['2001:db8::7'] } }),
      ['InternalIP 2001:db8::7', 'Hostname n1'],
    ],
    [
      'IPv6 first with ::',
      { nodeIps: ['::'] },
      network({ names: { n1: ['192.0.2.7', '2001:db8::7'] } }),
      ['InternalIP 2001:db8::7', 'Hostname n1'],
    ],
    ['that of the default route', {}, network(), ['InternalIP 192.0.2.7', 'Hostname n1']],
    [
      'that of the default route of the family 0.0.0.0',
      { nodeIps: ['0.0.0.0'] },
      network(),
      ['InternalIP 192.0.2.7', 'Hostname n1'],
    ],
    [
      'that of the default route of the family ::',
      { nodeIps: ['::'] },
      network(),
      ['InternalIP 2001:db8::7', 'Hostname n1'],
    ],
    [
      'IPv6 on a machine with IPv6 routes alone',
      {},
      network({ defaultRoutes: async () => [{ interfaceName: 'eth0', family: 6 }] }),
      ['InternalIP 2001:db8::7', 'Hostname n1'],
    ],
    [
      'that of the loopback interface where the route leads over link-local addresses',
      {},
      network({
        addresses: async () => [on('lo', '127.0.0.1', true), on('lo', '198.51.100.7', true), on('eth0', '169.254.0.1')],
      }),
      ['InternalIP 198.51.100.7', 'Hostname n1'],
    ],
    [
      'the first usable one where there is no table of routes',
      {},
      network({ defaultRoutes: async () => undefined }),
      ['InternalIP 172.17.0.1', 'Hostname n1'],
    ],
    [
      'of an external provider without --node-ip: the name until it has said more',
      { externalCloudProvider: true },
      network(),
      ['Hostname n1'],
    ],
    [
      'of an external provider with --node-ip',
      { externalCloudProvider: true, nodeIps: ['192.0.2.7'] },
      network(),
      ['InternalIP 192.0.2.7', 'Hostname n1'],
    ],
    [
      'of an external provider with a family',
      { externalCloudProvider: true, nodeIps: ['::'] },
      network(),
      ['InternalIP 2001:db8::7', 'Hostname n1'],
    ],
  ])('%s', async (_name, given, host, expected) => {
    expect(await texts(given, host)).toEqual(expected);
  });

  it('that an external provider has written stay; others are replaced', async () => {
    const existing = [{ type: 'ExternalIP', address: '203.0.113.1' }];
    expect(await texts({ externalCloudProvider: true }, network(), existing)).toEqual(['ExternalIP 203.0.113.1']);
    expect(await texts({}, network(), existing)).toEqual(['InternalIP 192.0.2.7', 'Hostname n1']);
  });

  it.each<[Partial<AddressOptions>, HostNetwork, string]>([
    [{ nodeIps: ['127.0.0.1'] }, network(), "failed to validate nodeIP: nodeIP can't be loopback address"],
    [{ nodeIps: ['ff02::1'] }, network(), "failed to validate nodeIP: nodeIP can't be a multicast address"],
    [{ nodeIps: ['fe80::7'] }, network(), "failed to validate nodeIP: nodeIP can't be a link-local unicast address"],
    [
      { nodeIps: ['192.0.2.8'] },
      network(),
      'failed to validate nodeIP: node IP: "192.0.2.8" not found in the host\'s network interfaces',
    ],
    [
      { nodeIps: ['192.0.2.7', '2001:db8::8'], externalCloudProvider: true },
      network(),
      'failed to validate secondaryNodeIP: node IP: "2001:db8::8" not found in the host\'s network interfaces',
    ],
    [
      {},
      network({ defaultRoutes: async () => [] }),
      'can\'t get ip address of node n1. error: no default routes found in "/proc/net/route" or "/proc/net/ipv6_route"',
    ],
    [
      {},
      network({ defaultRoutes: async () => [{ interfaceName: 'eth9', family: 4 }] }),
      "can't get ip address of node n1. error: unable to select an IP from default routes.",
    ],
    [
      {},
      network({ addresses: async () => [on('lo', '127.0.0.1', true)], defaultRoutes: async () => undefined }),
      "can't get ip address of node n1. error: no acceptable interface with global unicast address found on host",
    ],
  ])('%j cannot be: upstream says why', async (given, host, message) => {
    await expect(texts(given, host)).rejects.toThrow(message);
  });

  it.each<[Partial<AddressOptions>, string | undefined]>([
    [{ nodeIps: ['192.0.2.7', '2001:db8::7'], externalCloudProvider: true }, '192.0.2.7,2001:db8::7'],
    [{ nodeIps: ['::'], externalCloudProvider: true }, undefined],
    [{ externalCloudProvider: true }, undefined],
    [{ nodeIps: ['192.0.2.7'] }, undefined],
  ])('%j tells the provider %j', (given, expected) => {
    expect(providedNodeIps(options(given))).toBe(expected);
  });
});

describe('--node-ip', () => {
  const pair = 'must contain either a single IP or a dual-stack pair of IPs';
  it.each([
    ['', [], [], undefined],
    ['192.0.2.7', ['192.0.2.7'], [], undefined],
    [' 192.0.2.7 , 2001:DB8:0::7', ['192.0.2.7', '2001:db8::7'], [], undefined],
    ['010.0.0.1', ['10.0.0.1'], [], undefined],
    ['nonsense,192.0.2.7', ['192.0.2.7'], ['nonsense'], undefined],
    ['::', ['::'], [], undefined],
    ['192.0.2.7,192.0.2.8', ['192.0.2.7', '192.0.2.8'], [], pair],
    ['192.0.2.7,2001:db8::7,2001:db8::8', ['192.0.2.7', '2001:db8::7', '2001:db8::8'], [], pair],
    ['0.0.0.0,2001:db8::7', ['0.0.0.0', '2001:db8::7'], [], "dual-stack node IP cannot include '0.0.0.0' or '::'"],
  ])('%j', (text, nodeIps, invalid, fault) => {
    expect(parseNodeIps(text)).toEqual({ nodeIps, invalid, ...(fault !== undefined && { fault }) });
  });
});

describe('kinds of addresses', () => {
  it.each([
    ['0.0.0.0', 'unspecified'],
    ['::', 'unspecified'],
    ['127.3.2.1', 'loopback'],
    ['::1', 'loopback'],
    ['239.1.1.1', 'multicast'],
    ['ff02::1', 'multicast'],
    ['169.254.1.1', 'linkLocal'],
    ['fe80::1', 'linkLocal'],
    ['10.0.0.1', 'globalUnicast'],
    ['fd00::1', 'globalUnicast'],
  ])('%s is %s', (address, kind) => {
    expect(Object.entries(ipKind(address)).flatMap(([name, is]) => (is ? [name] : []))).toEqual([kind]);
  });

  it('a broadcast address and what is no address are none of them', () => {
    for (const text of ['255.255.255.255', 'host', '']) expect(Object.values(ipKind(text))).not.toContain(true);
  });
});

describe('default routes of Linux', () => {
  const ipv4 =
    'Iface\tDestination\tGateway \tFlags\tRefCnt\tUse\tMetric\tMask\n' +
    'eth0\t00000000\t010200C0\t0003\t0\t0\t100\t00000000\neth0\t000200C0\t00000000\t0001\t0\t0\t100\t00FFFFFF\n';
  const zero = '0'.repeat(32);
  const gateway = 'fe800000000000000000000000000001';
  const ipv6 =
    `20010db8000000000000000000000000 40 ${zero} 00 ${zero} 00000100 00000001 00000000 00000001     eth0\n` +
    `${zero} 00 ${zero} 00 ${gateway} 00000400 00000001 00000000 00000003     eth1\n` +
    `${zero} 00 ${zero} 00 ${zero} ffffffff 00000001 00000000 00200200       lo\n`;

  it('are read from the kernel', () => {
    expect(ipv4DefaultRoutes(ipv4)).toEqual([{ interfaceName: 'eth0', family: 4 }]);
    expect(ipv6DefaultRoutes(ipv6)).toEqual([{ interfaceName: 'eth1', family: 6 }]);
  });

  it('of this machine and its addresses can be read', async () => {
    const host = readHostNetwork();
    for (const { address } of await host.addresses()) expect(canonicalIp(address)).toBeDefined();
    await expect(host.defaultRoutes()).resolves.toBeDefined();
    await expect(readHostNetwork('/nowhere').defaultRoutes()).resolves.toBeUndefined();
  });
});
