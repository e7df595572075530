import { describe, expect, it } from '@jest/globals';
import { NamespaceMode, Protocol, SecurityProfile_ProfileType } from '@podwright/cri-client-interface';
import type { ContainerPort, Pod, PodSpec } from '@podwright/kube-types';
import { container, podWith } from '../fixtures/records.js';
import { sandboxConfig } from './sandbox-config.js';
import { dottedSysctl } from './sysctl-name.js';

const namespaces = {
  network: NamespaceMode.POD,
  pid: NamespaceMode.CONTAINER,
  ipc: NamespaceMode.POD,
  usernsOptions: { mode: NamespaceMode.NODE },
};
const configOf = (pod: Pod): ReturnType<typeof sandboxConfig> =>
  sandboxConfig({
    pod,
    attempt: 3,
    surroundings: {
      hostname: 'web',
      hostDomain: 'svc',
      sandboxHostname: 'web.svc',
      dnsConfig: { servers: ['10.0.0.10'] },
    },
    cgroupParent: '/kubepods/poduid-1',
    volumeGroups: [20],
    namespaces,
    podLogsDir: '/var/log/pods',
    resources: { ofSandbox: () => ({ cpuShares: 2n }), overheadOf: () => ({ cpuShares: 256n }) },
  });

describe('sandbox configuration', () => {
  it('is that of upstream for a plain pod', () => {
    expect(configOf(podWith({}, { labels: { app: 'x' }, annotations: { note: 'y' } }))).toEqual({
      metadata: { name: 'web', namespace: 'default', uid: 'uid-1', attempt: 3 },
      hostname: 'web.svc',
      logDirectory: '/var/log/pods/default_web_uid-1',
      dnsConfig: { servers: ['10.0.0.10'] },
      portMappings: [],
      labels: {
        app: 'x',
        'io.kubernetes.pod.name': 'web',
        'io.kubernetes.pod.namespace': 'default',
        'io.kubernetes.pod.uid': 'uid-1',
      },
      annotations: { note: 'y' },
      linux: {
        cgroupParent: '/kubepods/poduid-1',
        sysctls: {},
        resources: { cpuShares: 2n },
        overhead: { cpuShares: 256n },
        securityContext: {
          privileged: false,
          seccomp: { profileType: SecurityProfile_ProfileType.RuntimeDefault },
          namespaceOptions: namespaces,
          runAsUser: undefined,
          runAsGroup: undefined,
          supplementalGroups: [20n],
          supplementalGroupsPolicy: 0,
          selinuxOptions: undefined,
        },
      },
    });
  });

  it('has no host name on the host network', () => {
    expect(configOf(podWith({ hostNetwork: true }))).toMatchObject({ hostname: '' });
  });

  it('is privileged when any container is, an init container too', () => {
    const initContainers = [container('i', { securityContext: { privileged: true } })];
    expect(configOf(podWith({ initContainers })).linux?.securityContext?.privileged).toBe(true);
  });

  it('takes users, groups in upstream’s order, and sysctls from the pod', () => {
    const securityContext = {
      runAsUser: 1,
      runAsGroup: 2,
      fsGroup: 10,
      supplementalGroups: [30],
      sysctls: [{ name: 'net/ipv4/ip_forward', value: '1' }],
    };
    expect(configOf(podWith({ securityContext })).linux).toMatchObject({
      sysctls: { 'net.ipv4.ip_forward': '1' },
      securityContext: { runAsUser: { value: 1n }, runAsGroup: { value: 2n }, supplementalGroups: [10n, 20n, 30n] },
    });
  });

  it.each<[string, Partial<PodSpec>, object]>([
    ['user', { securityContext: { runAsUser: 0 } }, { securityContext: { runAsUser: { value: 0n } } }],
    ['group', { securityContext: { runAsGroup: 0 } }, { securityContext: { runAsGroup: { value: 0n } } }],
    [
      'policy',
      { securityContext: { supplementalGroupsPolicy: 'Strict' } },
      { securityContext: { supplementalGroupsPolicy: 1 } },
    ],
    [
      'SELinux',
      { securityContext: { seLinuxOptions: { level: 's0' } } },
      { securityContext: { selinuxOptions: { user: '', role: '', type: '', level: 's0' } } },
    ],
    [
      'seccomp: always the stricter one',
      { securityContext: { seccompProfile: { type: 'Unconfined' } } },
      { securityContext: { seccomp: { profileType: SecurityProfile_ProfileType.RuntimeDefault } } },
    ],
    [
      'privileges of a container, not its user',
      { containers: [container('app', { securityContext: { privileged: true, runAsUser: 7 } })] },
      { securityContext: { privileged: true, runAsUser: undefined } },
    ],
    ['resources and overhead of the pod', {}, { resources: { cpuShares: 2n }, overhead: { cpuShares: 256n } }],
  ])('%s', (_, spec, expected) => {
    expect(configOf(podWith(spec)).linux).toMatchObject(expected);
  });

  it.each(['', 'X'])('is refused with the unknown policy %j', (supplementalGroupsPolicy) => {
    expect(() => configOf(podWith({ securityContext: { supplementalGroupsPolicy } }))).toThrow(
      `unsupported supplementalGroupsPolicy: ${supplementalGroupsPolicy}`,
    );
  });

  it('leaves namespaces open without a security context of the pod', () => {
    const pod = podWith();
    const { securityContext: _, ...spec } = pod.spec;
    expect(configOf({ ...pod, spec }).linux?.securityContext).toEqual({
      privileged: false,
      seccomp: { profileType: SecurityProfile_ProfileType.RuntimeDefault },
    });
  });

  it('maps ports of regular containers, each once per container and IP family', () => {
    const ports: ContainerPort[] = [
      { containerPort: 80, protocol: 'TCP' },
      { containerPort: 80, protocol: 'TCP' },
      { containerPort: 80, protocol: 'UDP' },
      { containerPort: 80, hostPort: 8080, hostIP: '10.0.0.1' },
      { containerPort: 80, hostPort: 8080, hostIP: '::1' },
      { name: 'a', containerPort: 1 },
      { name: 'a', containerPort: 2, protocol: 'SCTP' },
    ];
    const pod = podWith({ containers: [container('app', { ports })], initContainers: [container('i', { ports })] });
    const mapping = (protocol: Protocol, containerPort: number, hostPort = 0, hostIp = ''): object => ({
      protocol,
      containerPort,
      hostPort,
      hostIp,
    });
    expect(configOf(pod).portMappings).toEqual([
      mapping(Protocol.TCP, 80),
      mapping(Protocol.UDP, 80),
      mapping(Protocol.TCP, 80, 8080, '10.0.0.1'),
      mapping(Protocol.TCP, 80, 8080, '::1'),
      mapping(Protocol.TCP, 1),
    ]);
  });

  it.each([
    ['net.ipv4.ip_forward', 'net.ipv4.ip_forward'],
    ['net/ipv4/conf/eth0.1/x', 'net.ipv4.conf.eth0/1.x'],
    ['a.b/c', 'a.b/c'],
    ['plain', 'plain'],
  ])('writes sysctl %s as %s', (name, expected) => {
    expect(dottedSysctl(name)).toBe(expected);
  });
});
