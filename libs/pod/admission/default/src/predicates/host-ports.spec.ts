import { describe, expect, it } from '@jest/globals';
import type { ContainerPort, Pod } from '@podwright/kube-types';
import { hostPortsOf, HostPortTable } from './host-ports.js';

const pod = (...ports: readonly Partial<ContainerPort>[]): Pod => ({
  metadata: {},
  spec: { containers: [{ name: 'c', ports: ports.map((port) => ({ containerPort: 1, ...port })) }] },
});

describe('host ports', () => {
  it.each([
    ['the same', { hostPort: 80 }, { hostPort: 80 }, true],
    ['another', { hostPort: 80 }, { hostPort: 81 }, false],
    ['another protocol', { hostPort: 80 }, { hostPort: 80, protocol: 'UDP' }, false],
    ['TCP is the default', { hostPort: 80, protocol: 'TCP' }, { hostPort: 80, protocol: '' }, true],
    ['another address', { hostPort: 80, hostIP: '10.0.0.1' }, { hostPort: 80, hostIP: '10.0.0.2' }, false],
    ['the same address', { hostPort: 80, hostIP: '10.0.0.1' }, { hostPort: 80, hostIP: '10.0.0.1' }, true],
    ['all after one', { hostPort: 80, hostIP: '10.0.0.1' }, { hostPort: 80 }, true],
    ['one after all', { hostPort: 80 }, { hostPort: 80, hostIP: '10.0.0.1' }, true],
    ['all by name after one', { hostPort: 80, hostIP: '10.0.0.1' }, { hostPort: 80, hostIP: '0.0.0.0' }, true],
    ['all by name', { hostPort: 80, hostIP: '0.0.0.0' }, { hostPort: 80, hostIP: '' }, true],
    [
      'the unspecified IPv6 address is one of many',
      { hostPort: 80, hostIP: '::' },
      { hostPort: 80, hostIP: '::1' },
      false,
    ],
    ['none', { hostPort: 0 }, { hostPort: 0 }, false],
  ])('%s', (_name, used, wanted, conflict) => {
    const table = new HostPortTable();
    for (const port of hostPortsOf(pod(used))) table.add(port);
    expect(hostPortsOf(pod(wanted)).some((port) => table.conflictsWith(port))).toBe(conflict);
  });

  it('are kept for each address', () => {
    const table = new HostPortTable();
    const ports = ['10.0.0.1', '10.0.0.2'].map((ip) => ({ ip, protocol: 'TCP', port: 80 }));
    for (const port of ports) table.add(port);
    expect(ports.map((port) => table.conflictsWith(port))).toEqual([true, true]);
  });

  it('are those of regular containers and sidecars', () => {
    const ports = (hostPort: number) => [{ containerPort: 1, hostPort }];
    expect(
      hostPortsOf({
        metadata: {},
        spec: {
          containers: [{ name: 'c', ports: ports(1) }, { name: 'd' }],
          initContainers: [
            { name: 'i', ports: ports(2) },
            { name: 's', restartPolicy: 'Always', ports: ports(3) },
          ],
        },
      }).map(({ port }) => port),
    ).toEqual([1, 3]);
  });
});
