import { describe, expect, it } from '@jest/globals';
import type { Node } from '../objects.js';
import { nodeHostIps, unknownHostIp } from './node-host-ips.js';

const node = (...addresses: readonly string[]): Node => ({
  status: {
    addresses: addresses.map((text) => {
      const [type = '', address = ''] = text.split(' ');
      return { type, address };
    }),
  },
});

describe('nodeHostIps', () => {
  it.each<[string, Node, readonly string[]]>([
    ['none of a node without a status', {}, []],
    ['no names', node('Hostname n1', 'InternalDNS n1.local', 'ExternalDNS n1.example.com'), []],
    ['internal before external ones', node('ExternalIP 203.0.113.7', 'InternalIP 192.0.2.7'), ['192.0.2.7']],
    ['an external one alone', node('Hostname n1', 'ExternalIP 203.0.113.7'), ['203.0.113.7']],
    [
      'the first of the other family, also an external one',
      node('InternalIP 192.0.2.7', 'InternalIP 192.0.2.8', 'ExternalIP 203.0.113.7', 'ExternalIP 2001:db8::7'),
      ['192.0.2.7', '2001:db8::7'],
    ],
    [
      'the family of the first one first',
      node('InternalIP 2001:DB8:0::7', 'InternalIP 192.0.2.7'),
      ['2001:db8::7', '192.0.2.7'],
    ],
    ['what is an address', node('InternalIP nowhere', 'InternalIP 192.0.2.7'), ['192.0.2.7']],
  ])('gives %s', (_name, given, expected) => {
    expect(nodeHostIps(given)).toEqual(expected);
  });

  it('is told why there is none', () => {
    expect(unknownHostIp({})).toBe('host IP unknown; known addresses: []');
    expect(unknownHostIp(node('Hostname n1', 'InternalDNS n1.local'))).toBe(
      'host IP unknown; known addresses: [{Hostname n1} {InternalDNS n1.local}]',
    );
  });
});
