import { describe, expect, it } from '@jest/globals';
import { interfaceAddresses, type AddressTables } from './interface-addresses.js';

// eth0 and lo have carrier; the bridges br0, br1 and br2 have no ports.
const fibTrie = `Main:
  +-- 0.0.0.0/0 3 0 5
     |-- 0.0.0.0
        /0 universe UNICAST
     |-- 10.1.0.0
        /16 link UNICAST
     |-- 192.0.2.0
        /24 link UNICAST
Local:
  +-- 0.0.0.0/0 3 0 5
     +-- 10.0.0.0/8 2 0 2
        |-- 10.1.0.1
           /32 host LOCAL
        |-- 10.1.2.1
           /32 host LOCAL
        |-- 10.1.255.255
           /32 link BROADCAST
     |-- 10.9.9.9
        /32 host LOCAL
     +-- 127.0.0.0/8 2 0 2
        +-- 127.0.0.0/31 1 0 0
           |-- 127.0.0.0
              /8 host LOCAL
           |-- 127.0.0.1
              /32 host LOCAL
     |-- 192.0.2.7
        /32 host LOCAL
`;
const route =
  'Iface\tDestination\tGateway \tFlags\tRefCnt\tUse\tMetric\tMask\t\tMTU\tWindow\tIRTT\n' +
  'eth0\t00000000\t010200C0\t0003\t0\t0\t0\t00000000\t0\t0\t0\n' +
  'br0\t0000010A\t00000000\t0001\t0\t0\t0\t0000FFFF\t0\t0\t0\n' +
  'br1\t0002010A\t00000000\t0001\t0\t0\t0\t00FFFFFF\t0\t0\t0\n' +
  'eth0\t0000010A\t00000000\t0001\t0\t0\t0\t00FFFFFF\t0\t0\t0\n' +
  'eth0\t000200C0\t00000000\t0001\t0\t0\t0\t00FFFFFF\t0\t0\t0\n';
const ifInet6 =
  '00000000000000000000000000000001 01 80 10 80       lo\n' +
  '20010db8000000000000000000000007 02 40 00 80     eth0\n' +
  '20010db8000100000000000000000001 03 40 00 c0      br0\n' +
  'fe800000000000000000000000000001 03 40 20 c0      br0\n';
const nodes = {
  lo: [
    { address: '127.0.0.1', internal: true },
    { address: '::1', internal: true },
  ],
  eth0: [
    { address: '192.0.2.7', internal: false },
    { address: '2001:db8::7', internal: false },
  ],
};
const found = (tables: Partial<AddressTables>): readonly string[] =>
  interfaceAddresses({ fibTrie: '', route: '', ifInet6: '', ...tables }, nodes).map(
    ({ interfaceName, address, internal }) => `${interfaceName} ${address}${internal ? ' internal' : ''}`,
  );
const withCarrier = ['lo 127.0.0.1 internal', 'lo ::1 internal', 'eth0 192.0.2.7', 'eth0 2001:db8::7'];

describe('addresses of interfaces', () => {
  it('come with those of interfaces without carrier, each once, on the interface of the longest connected route', () => {
    expect(found({ fibTrie, route, ifInet6 })).toEqual([
      ...withCarrier,
      'br0 10.1.0.1',
      'br1 10.1.2.1',
      ' 10.9.9.9',
      'br0 2001:db8:1::1',
      'br0 fe80::1',
    ]);
  });

  it('come once from a kernel that shows its local and main table as one', () => {
    const merged = fibTrie + fibTrie.slice(fibTrie.indexOf('Local:')).replace('Local:', 'Main:');
    expect(found({ fibTrie: merged, route, ifInet6 })).toEqual(found({ fibTrie, route, ifInet6 }));
  });

  it('are those that Node.js lists where the kernel has no such tables', () => {
    expect(found({})).toEqual(withCarrier);
  });
});
