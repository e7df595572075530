import { describe, expect, it } from '@jest/globals';
import type { ServiceAddress } from '@podwright/container-environment-interface';
import { serviceVariables } from './service-variables.js';

function service(name: string, namespace: string, clusterIp: string, ports: ServiceAddress['ports']): ServiceAddress {
  return { name, namespace, clusterIp, ports };
}

const http = { port: 80, protocol: 'TCP' };
const master = service('kubernetes', 'default', '10.0.0.1', [{ name: 'https', port: 443, protocol: 'TCP' }]);

describe('serviceVariables', () => {
  it('has upstream’s names, order and values', () => {
    const ports = [
      { name: 'web-ui', port: 8080, protocol: 'TCP' },
      { port: 53, protocol: 'UDP' },
      { name: 'raw', port: 9, protocol: 'SCTP' },
      { name: 'bare', port: 10, protocol: '' },
    ];
    expect([...serviceVariables([service('my-db', 'prod', '10.0.0.7', ports)], 'prod', true)]).toEqual([
      ['MY_DB_SERVICE_HOST', '10.0.0.7'],
      ['MY_DB_SERVICE_PORT', '8080'],
      ['MY_DB_SERVICE_PORT_WEB_UI', '8080'],
      ['MY_DB_SERVICE_PORT_RAW', '9'],
      ['MY_DB_SERVICE_PORT_BARE', '10'],
      ['MY_DB_PORT', 'tcp://10.0.0.7:8080'],
      ['MY_DB_PORT_8080_TCP', 'tcp://10.0.0.7:8080'],
      ['MY_DB_PORT_8080_TCP_PROTO', 'tcp'],
      ['MY_DB_PORT_8080_TCP_PORT', '8080'],
      ['MY_DB_PORT_8080_TCP_ADDR', '10.0.0.7'],
      ['MY_DB_PORT_53_UDP', 'udp://10.0.0.7:53'],
      ['MY_DB_PORT_53_UDP_PROTO', 'udp'],
      ['MY_DB_PORT_53_UDP_PORT', '53'],
      ['MY_DB_PORT_53_UDP_ADDR', '10.0.0.7'],
      ['MY_DB_PORT_9_SCTP', 'sctp://10.0.0.7:9'],
      ['MY_DB_PORT_9_SCTP_PROTO', 'sctp'],
      ['MY_DB_PORT_9_SCTP_PORT', '9'],
      ['MY_DB_PORT_9_SCTP_ADDR', '10.0.0.7'],
      ['MY_DB_PORT_10_TCP', 'tcp://10.0.0.7:10'],
      ['MY_DB_PORT_10_TCP_PROTO', 'tcp'],
      ['MY_DB_PORT_10_TCP_PORT', '10'],
      ['MY_DB_PORT_10_TCP_ADDR', '10.0.0.7'],
    ]);
  });

  it('puts an IPv6 address in brackets, in URLs alone', () => {
    const variables = serviceVariables([service('six', 'prod', 'fd00::7', [http])], 'prod', true);
    expect([
      variables.get('SIX_PORT'),
      variables.get('SIX_SERVICE_HOST'),
      variables.get('SIX_PORT_80_TCP_ADDR'),
    ]).toEqual(['tcp://[fd00::7]:80', 'fd00::7', 'fd00::7']);
  });

  const hosts = (services: readonly ServiceAddress[], namespace: string, links: boolean): Record<string, string> =>
    Object.fromEntries([...serviceVariables(services, namespace, links)].filter(([name]) => name.endsWith('_HOST')));

  it.each<[string, readonly ServiceAddress[], string, boolean, Record<string, string>]>([
    [
      'links to its namespace and the master',
      [service('a', 'prod', '1.1.1.1', [http]), master],
      'prod',
      true,
      {
        A_SERVICE_HOST: '1.1.1.1',
        KUBERNETES_SERVICE_HOST: '10.0.0.1',
      },
    ],
    [
      'no links: the master alone',
      [service('a', 'prod', '1.1.1.1', [http]), master],
      'prod',
      false,
      {
        KUBERNETES_SERVICE_HOST: '10.0.0.1',
      },
    ],
    [
      'no links in the master’s namespace',
      [service('a', 'default', '1.1.1.1', [http]), master],
      'default',
      false,
      {
        KUBERNETES_SERVICE_HOST: '10.0.0.1',
      },
    ],
    ['other services of the master’s namespace', [service('a', 'default', '1.1.1.1', [http])], 'prod', true, {}],
    ['a headless service', [service('a', 'prod', 'None', [http])], 'prod', true, {}],
    ['a service without an address', [service('a', 'prod', '', [http])], 'prod', true, {}],
    ['a service without ports', [service('a', 'prod', '1.1.1.1', [])], 'prod', true, {}],
    [
      'a namesake of the master',
      [service('kubernetes', 'prod', '1.1.1.1', [http]), master],
      'prod',
      true,
      {
        KUBERNETES_SERVICE_HOST: '1.1.1.1',
      },
    ],
    [
      'a namesake without links',
      [service('kubernetes', 'prod', '1.1.1.1', [http]), master],
      'prod',
      false,
      {
        KUBERNETES_SERVICE_HOST: '10.0.0.1',
      },
    ],
  ])('%s', (_, services, namespace, links, expected) => {
    expect(hosts(services, namespace, links)).toEqual(expected);
  });
});
