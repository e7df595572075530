import { describe, expect, it } from '@jest/globals';
import type { NodeAddress } from '@podwright/kube-types';
import { servingTemplate } from './serving-template.js';

const a = (type: string, address: string): NodeAddress => ({ type, address });
const both = (dnsNames: readonly string[], ipAddresses: readonly string[]) => ({
  commonName: 'system:node:n1',
  organizations: ['system:nodes'],
  dnsNames,
  ipAddresses,
});

describe('the template of the serving certificate', () => {
  it.each<[string, readonly NodeAddress[], boolean, ReturnType<typeof both> | undefined]>([
    ['no address', [], false, undefined],
    ['no address, names will do', [], true, undefined],
    ['a name alone', [a('Hostname', 'n1')], false, undefined],
    ['a name alone, names will do', [a('Hostname', 'n1')], true, both(['n1'], [])],
    ['an empty address', [a('InternalIP', '')], true, undefined],
    ['an empty host name, names will do', [a('Hostname', '')], true, undefined],
    ['host name and address', [a('InternalIP', '10.0.0.1'), a('Hostname', 'n1')], false, both(['n1'], ['10.0.0.1'])],
    ['a host name that is an address', [a('Hostname', '10.0.0.1')], false, both([], ['10.0.0.1'])],
    [
      'all kinds, sorted, each once',
      [
        a('InternalIP', '10.0.0.2'),
        a('ExternalIP', '10.0.0.10'),
        a('ExternalIP', '10.0.0.2'),
        a('InternalDNS', 'y.internal'),
        a('ExternalDNS', 'a.example.com'),
        a('Hostname', 'z.internal'),
        a('ExternalDNS', 'z.internal'),
      ],
      false,
      both(['a.example.com', 'y.internal', 'z.internal'], ['10.0.0.10', '10.0.0.2']),
    ],
    [
      'IPv6 in one way of writing',
      [a('InternalIP', 'FD00:0::1'), a('ExternalIP', 'fd00::1')],
      false,
      both([], ['fd00::1']),
    ],
    ['what is no address', [a('InternalIP', 'n1'), a('ExternalIP', '10.0.0.1')], false, both([], ['10.0.0.1'])],
    ['an address of another kind', [a('Other', '10.0.0.1')], false, undefined],
  ])('%s', (_name, addresses, dnsOnly, expected) => {
    expect(servingTemplate('n1', addresses, dnsOnly)).toEqual(expected);
  });
});
