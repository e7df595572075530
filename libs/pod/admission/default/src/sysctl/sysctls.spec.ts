import { describe, expect, it } from '@jest/globals';
import type { Pod, PodSpec } from '@podwright/kube-types';
import { safeSysctlsOf } from './safe-sysctls.js';
import { checkSysctls, sysctlAllowList, sysctlPatternFault } from './sysctl-allow-list.js';
import { dottedSysctl, sysctlNamespace } from './sysctl-namespace.js';

const always = [
  'kernel.shm_rmid_forced',
  'net.ipv4.ip_local_port_range',
  'net.ipv4.tcp_syncookies',
  'net.ipv4.ping_group_range',
  'net.ipv4.ip_unprivileged_port_start',
];

const all = [
  'ip_local_reserved_ports',
  'tcp_keepalive_time',
  'tcp_fin_timeout',
  'tcp_keepalive_intvl',
  'tcp_keepalive_probes',
  'tcp_rmem',
  'tcp_wmem',
];

describe('safe sysctls', () => {
  it.each([
    ['3.15.0', []],
    ['3.16.0', ['ip_local_reserved_ports']],
    ['4.4.302', ['ip_local_reserved_ports']],
    ['4.5', ['ip_local_reserved_ports', 'tcp_keepalive_time', 'tcp_keepalive_intvl', 'tcp_keepalive_probes']],
    [
      '4.6.1-gke',
      [
        'ip_local_reserved_ports',
        'tcp_keepalive_time',
        'tcp_fin_timeout',
        'tcp_keepalive_intvl',
        'tcp_keepalive_probes',
      ],
    ],
    ['6.1.0-13-amd64', all],
    ['unknown', []],
    ['v6.1', []],
    ['10.0', all],
  ])('of kernel %s', (release, more) => {
    expect(safeSysctlsOf(release)).toEqual([...always, ...more.map((name) => `net.ipv4.${name}`)]);
  });
});

describe('names of sysctls', () => {
  it.each([
    ['kernel.sem', 'IPC'],
    ['kernel.shmmax', 'IPC'],
    ['kernel.msgmax', 'IPC'],
    ['fs.mqueue.msg_max', 'IPC'],
    ['net.core.somaxconn', 'Net'],
    ['kernel.semaphore', undefined],
    ['kernel.shm_next_id', undefined],
    ['kernel.msg_next_id', undefined],
    ['vm.swappiness', undefined],
    ['fs.file-max', undefined],
  ])('%s is in the namespace %s', (name, namespace) => {
    expect(sysctlNamespace(name)).toBe(namespace);
  });

  it.each([
    ['kernel.shm', 'kernel.shm'],
    ['kernel/shm', 'kernel.shm'],
    ['net.ipv4.conf.eth0/100.x', 'net.ipv4.conf.eth0/100.x'],
    ['net/ipv4/conf/eth0.100/x', 'net.ipv4.conf.eth0/100.x'],
    ['plain', 'plain'],
  ])('%s is %s with dots', (name, dotted) => {
    expect(dottedSysctl(name)).toBe(dotted);
  });

  it.each([
    ['kernel.msg*', undefined],
    ['net/ipv4/*', undefined],
    ['kernel.sem', undefined],
    ['net.*', undefined],
    ['vm.swappiness', 'the sysctls "vm.swappiness" are not known to be namespaced'],
    ['vm.*', 'the sysctls "vm." are not known to be namespaced'],
    ['*', 'the sysctls "" are not known to be namespaced'],
    ['net', 'the sysctls "net" are not known to be namespaced'],
    ['Net.core', 'sysctl "Net.core" must have at most 253 characters and match regex'],
    ['net.*.x', 'sysctl "net.*.x" must have'],
    ['a..b', 'sysctl "a..b" must have'],
    [`net.${'a'.repeat(249)}`, undefined],
    [`net.${'a'.repeat(250)}`, 'must have at most 253 characters'],
  ])('%s as a pattern', (pattern, fault) => {
    if (fault === undefined) expect(sysctlPatternFault(pattern)).toBeUndefined();
    else expect(sysctlPatternFault(pattern)).toContain(fault);
  });
});

describe('the allow list', () => {
  const list = sysctlAllowList([...safeSysctlsOf('6.1'), 'kernel.msg*', 'net/core/somaxconn', 'vm.swappiness']);
  const pod = (name: string, spec: Partial<PodSpec> = {}): Pod => ({
    metadata: {},
    spec: { containers: [], securityContext: { sysctls: [{ name, value: '1' }] }, ...spec },
  });
  const no = (message: string) => ({
    admit: false,
    reason: 'SysctlForbidden',
    message: `forbidden sysctl: ${message}`,
  });

  it.each([
    ['no sysctl', { metadata: {}, spec: { containers: [] } }, undefined],
    ['a safe one', pod('net.ipv4.tcp_syncookies'), undefined],
    ['a safe one with slashes', pod('net/ipv4/tcp_syncookies'), undefined],
    ['one of an allowed beginning', pod('kernel.msgmax'), undefined],
    ['one that was allowed with slashes', pod('net.core.somaxconn'), undefined],
    ['one that is not listed', pod('net.core.other'), no('"net.core.other" not allowlisted')],
    [
      'one that begins as an allowed one',
      pod('net.core.somaxconn.more'),
      no('"net.core.somaxconn.more" not allowlisted'),
    ],
    ['one that cannot be allowed', pod('vm.swappiness'), no('"vm.swappiness" not allowlisted')],
    [
      'net with the host network',
      pod('net.ipv4.tcp_syncookies', { hostNetwork: true }),
      no('"net.ipv4.tcp_syncookies" not allowed with host Net enabled'),
    ],
    [
      'ipc with the host ipc',
      pod('kernel/msgmax', { hostIPC: true }),
      no('"kernel.msgmax" not allowed with host IPC enabled'),
    ],
    ['ipc with the host network', pod('kernel.shm_rmid_forced', { hostNetwork: true }), undefined],
    ['net with the host ipc', pod('net.ipv4.tcp_rmem', { hostIPC: true }), undefined],
  ])('decides about %s', (_name, given, expected) => {
    expect(checkSysctls(given, list)).toEqual(expected);
  });
});
