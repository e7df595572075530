import { mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { KubeletError } from '@podwright/errors';
import type { Node, Pod } from '@podwright/kube-types';
import { createMemoryLogger } from '@podwright/logging';
import type { NodeSource } from '@podwright/node-status-interface';
import { VirtualClock } from '@podwright/time';
import type { VolumeManager } from '@podwright/volume-interface';
import type { LocalContainerEnvironmentNeeds } from './local-container-environment.js';
import type { LocalContainerEnvironment } from './local-container-environment.js';
import type { LocalContainerEnvironmentConfig } from './local-container-environment-config.js';
import { createLocalContainerEnvironment } from './local-container-environment.module.js';
import { noServices } from './no-services.js';

describe('LocalContainerEnvironment', () => {
  let rootDir = '';
  beforeEach(async () => {
    rootDir = await mkdtemp(join(tmpdir(), 'environment-'));
    await mkdir(join(rootDir, 'pods/u1'), { recursive: true });
    await writeFile(join(rootDir, 'resolv.conf'), 'nameserver 1.1.1.1\nsearch example.com\n');
    await writeFile(join(rootDir, 'hosts'), '127.0.0.1 node\n');
  });
  afterEach(() => rm(rootDir, { recursive: true }));

  const none = {
    get: () => Promise.reject(new Error('not used')),
    registerPod: () => undefined,
    unregisterPod: () => undefined,
  };
  const pod = (spec: Partial<Pod['spec']>): Pod => ({
    metadata: { name: 'web', namespace: 'prod', uid: 'u1' },
    spec: { containers: [], dnsPolicy: 'ClusterFirst', enableServiceLinks: true, ...spec },
  });

  const node: Node = {
    status: { allocatable: { memory: '3Gi' }, addresses: [{ type: 'InternalIP', address: '192.0.2.1' }] },
  };

  function environment(
    options: Partial<LocalContainerEnvironmentConfig> = {},
    deps: Partial<LocalContainerEnvironmentNeeds> = {},
  ): {
    made: LocalContainerEnvironment;
    events: string[];
    messages: string[];
  } {
    const events: string[] = [];
    const messages: string[] = [];
    const made = createLocalContainerEnvironment(
      {
        volumes: { getMountedVolumes: () => [] } as Pick<VolumeManager, 'getMountedVolumes'> as VolumeManager,
        secrets: none,
        configMaps: none,
        events: {
          event: ({ kind }, type, reason, message) => {
            events.push(`${kind} ${type} ${reason}`);
            messages.push(message);
          },
        },
        runtimeState: { handlers: () => [] },
        runtimeClasses: { handlerOf: (name = '') => (name === 'sandboxed' ? 'runsc' : '') },
        services: noServices,
        clock: new VirtualClock(),
        nodeSource: {
          getNode: () => node,
        } as Partial<NodeSource> as NodeSource,
        logger: createMemoryLogger(),
        ...deps,
      },
      {
        rootDir,
        resolvConf: join(rootDir, 'resolv.conf'),
        hostsFile: join(rootDir, 'hosts'),
        ...options,
      },
    );
    return { made, events, messages };
  }

  it.each([
    [undefined, false],
    ['sandboxed', true],
  ])('mounts read-only all the way down where the handler of class %j can', async (runtimeClassName, expected) => {
    const features = (recursiveReadOnlyMounts: boolean) => ({ recursiveReadOnlyMounts, userNamespaces: false });
    const handlers = [
      { name: '', features: features(false) },
      { name: 'sandboxed', features: features(false) },
      { name: 'runsc', features: features(true) },
    ];
    const volume = { name: 'data', hostPath: '/v', readOnly: false, managed: false, selinuxRelabel: false };
    const volumes = { getMountedVolumes: () => [volume] } as Pick<VolumeManager, 'getMountedVolumes'> as VolumeManager;
    const { made } = environment({}, { runtimeState: { handlers: () => handlers }, volumes });
    const volumeMounts = [{ name: 'data', mountPath: '/d', readOnly: true, recursiveReadOnly: 'IfPossible' }];
    const fields = runtimeClassName === undefined ? {} : { runtimeClassName };
    const { mounts } = await made.forContainer(pod(fields), { name: 'a', volumeMounts }, []);
    expect(mounts[0]).toMatchObject({ containerPath: '/d', recursiveReadOnly: expected });
  });

  it('gives block volumes after the devices of resource managers', async () => {
    const gpu = { hostPath: '/dev/gpu0', containerPath: '/dev/gpu', permissions: 'rw' };
    const link = join(rootDir, 'disk');
    await symlink('/dev/null', link);
    const facts = { readOnly: false, managed: false, selinuxRelabel: false };
    const volume = { name: 'disk', hostPath: link, isBlockDevice: true, ...facts };
    const volumes = { getMountedVolumes: () => [volume] } as Pick<VolumeManager, 'getMountedVolumes'> as VolumeManager;
    const nothing = { envs: [], mounts: [], annotations: {}, cdiDevices: [] };
    const { made } = environment(
      {},
      { volumes, runOptions: { runOptionsOf: async () => ({ ...nothing, devices: [gpu] }) } },
    );
    const volumeDevices = [{ name: 'disk', devicePath: '/dev/raw' }];
    const { devices } = await made.forContainer(pod({}), { name: 'app', volumeDevices }, []);
    expect(devices).toEqual([gpu, { hostPath: link, containerPath: '/dev/raw', permissions: 'mrw' }]);
  });

  it('puts what resource managers want before what the pod wants', async () => {
    const device = { hostPath: '/dev/gpu0', containerPath: '/dev/gpu', permissions: 'rw' };
    const runOptions = {
      runOptionsOf: async () => ({
        envs: [{ name: 'A', value: 'plugin' }],
        mounts: [{ hostPath: '/opt/gpu', containerPath: '/gpu', readOnly: true }],
        devices: [device],
        annotations: { 'vendor.com/gpu': '0' },
        cdiDevices: ['vendor.com/gpu=0'],
      }),
    };
    const { made } = environment({}, { runOptions });
    const env = [{ name: 'A', value: 'pod' }];
    const found = await made.forContainer(pod({ enableServiceLinks: false }), { name: 'app', env }, ['192.0.2.7']);
    expect(found.envs.filter(({ name }) => name === 'A')).toEqual([
      { name: 'A', value: 'plugin' },
      { name: 'A', value: 'pod' },
    ]);
    expect(found.mounts[0]).toMatchObject({ hostPath: '/opt/gpu', containerPath: '/gpu', readonly: true });
    expect(found).toMatchObject({
      devices: [device],
      annotations: { 'vendor.com/gpu': '0' },
      cdiDevices: ['vendor.com/gpu=0'],
    });
    const failing = { runOptionsOf: () => Promise.reject(new Error('device plugin PreStartContainer rpc failed')) };
    const { made: without } = environment({}, { runOptions: failing });
    await expect(without.forContainer(pod({}), { name: 'app' }, [])).rejects.toThrow('PreStartContainer rpc failed');
  });

  it('makes what surrounds a pod', async () => {
    const { made, events } = environment({ clusterDns: ['10.0.0.10'], clusterDomain: 'cluster.local' });
    await expect(made.forPod(pod({ subdomain: 's', setHostnameAsFQDN: true }))).resolves.toEqual({
      hostname: 'web',
      hostDomain: 's.prod.svc.cluster.local',
      sandboxHostname: 'web.s.prod.svc.cluster.local',
      dnsConfig: {
        servers: ['10.0.0.10'],
        searches: ['prod.svc.cluster.local', 'svc.cluster.local', 'cluster.local', 'example.com'],
        options: ['ndots:5'],
      },
    });
    expect(events).toEqual([]);
  });

  it('tells on the node and the pod that there is no cluster DNS', async () => {
    const { made, events } = environment();
    expect((await made.forPod(pod({}))).dnsConfig.servers).toEqual(['1.1.1.1']);
    const told = ['Node Warning MissingClusterDNS', 'Pod Warning MissingClusterDNS'];
    expect(events).toEqual(told);
    const long = pod({ hostname: 'h'.repeat(63), subdomain: 's', setHostnameAsFQDN: true });
    await expect(made.forPod(long)).rejects.toThrow('is too long');
    expect(events).toEqual([...told, ...told]);
  });

  it('takes a full name of any length on the host network, where the sandbox has the name of the node', async () => {
    const { made } = environment();
    const long = { hostname: 'h'.repeat(63), subdomain: 's', setHostnameAsFQDN: true, hostNetwork: true };
    await expect(made.forPod(pod(long))).resolves.toMatchObject({ sandboxHostname: long.hostname });
  });

  it('leaves out cluster name servers that are no addresses, and writes the others in their shortest form', async () => {
    const { made } = environment({ clusterDns: ['dns.example.com', '010.0.0.10', 'FD00::000A'] });
    expect((await made.forPod(pod({}))).dnsConfig.servers).toEqual(['10.0.0.10', 'fd00::a']);
    const { made: bare, events } = environment({ clusterDns: ['nowhere'] });
    expect((await bare.forPod(pod({}))).dnsConfig.servers).toEqual(['1.1.1.1']);
    expect(events).toContain('Pod Warning MissingClusterDNS');
  });

  it('tells when settings were left out', async () => {
    const { made, events } = environment();
    const nameservers = ['2.2.2.2', '3.3.3.3', '4.4.4.4'];
    await made.forPod(pod({ dnsPolicy: 'Default', dnsConfig: { nameservers } }));
    expect(events).toEqual(['Pod Warning DNSConfigForming']);
  });

  it('tells at its start when the resolver file has more than pods can take, or cannot be read', async () => {
    const { made, events } = environment();
    await made.start();
    expect(events).toEqual([]);
    await writeFile(join(rootDir, 'resolv.conf'), `search ${'a '.repeat(33)}\n`);
    await made.start();
    await environment({ resolvConf: '' }).made.start();
    expect(events).toEqual(['Node Warning CheckLimitsForResolvConf']);
    const broken = environment({ resolvConf: join(rootDir, 'gone') });
    await broken.made.start();
    expect(broken.events).toEqual(['Node Warning CheckLimitsForResolvConf']);
    expect(broken.messages).toEqual([`open ${join(rootDir, 'gone')}: no such file or directory`]);
    await broken.made.stop();
    await writeFile(join(rootDir, 'resolv.conf'), 'nameserver\n');
    const empty = environment();
    await empty.made.start();
    expect(empty.messages).toEqual(['nameserver list is empty ']);
  });

  it('fails with the fault of the resolver file', async () => {
    await writeFile(join(rootDir, 'resolv.conf'), 'nameserver\n');
    await expect(environment().made.forPod(pod({}))).rejects.toThrow(
      'Encountered error while parsing resolv conf file. Error: nameserver list is empty',
    );
    const gone = join(rootDir, 'gone');
    await expect(environment({ resolvConf: gone }).made.forPod(pod({}))).rejects.toMatchObject({
      message: `open ${gone}: no such file or directory`,
    });
    await expect(environment({ resolvConf: rootDir }).made.forPod(pod({}))).rejects.toThrow(
      `Encountered error while parsing resolv conf file. Error: read ${rootDir}: is a directory`,
    );
  });

  it('writes and mounts the hosts file', async () => {
    const { mounts } = await environment().made.forContainer(pod({}), { name: 'c' }, ['10.0.0.7']);
    expect(mounts).toMatchObject([
      { containerPath: '/etc/hosts', hostPath: join(rootDir, 'pods/u1/etc-hosts'), readonly: false },
    ]);
    expect(await readFile(join(rootDir, 'pods/u1/etc-hosts'), 'utf8')).toContain('\n10.0.0.7\tweb\n');
  });

  it('takes the hosts file of the node for the host network, and the addresses of the pod also there', async () => {
    const env = [{ name: 'IP', valueFrom: { fieldRef: { fieldPath: 'status.podIP' } } }];
    const ofPod = async (ips: readonly string[]): Promise<unknown> =>
      (await environment().made.forContainer(pod({ hostNetwork: true }), { name: 'c', env }, ips)).envs;
    expect(await ofPod([])).toEqual([{ name: 'IP', value: '' }]);
    expect(await ofPod(['192.0.2.9'])).toEqual([{ name: 'IP', value: '192.0.2.9' }]);
    expect(await readFile(join(rootDir, 'pods/u1/etc-hosts'), 'utf8')).toBe(
      '# Kubernetes-managed hosts file (host network).\n127.0.0.1 node\n',
    );
  });

  const hostIp = [{ name: 'IP', valueFrom: { fieldRef: { fieldPath: 'status.hostIP' } } }];
  const unknown = (): never => {
    throw new KubeletError('not yet', { code: 'unavailable' });
  };
  it.each<[string, () => Node, string | undefined]>([
    [
      'addresses of a cloud provider',
      () => ({
        status: {
          addresses: [
            { type: 'ExternalIP', address: '203.0.113.7' },
            { type: 'InternalIP', address: '198.51.100.7' },
          ],
        },
      }),
      '198.51.100.7',
    ],
    ['no address yet', () => ({ status: { addresses: [{ type: 'Hostname', address: 'n1' }] } }), undefined],
    ['nothing known', unknown, undefined],
  ])('asks for the addresses of the Node each time: %s', async (_name, getNode, ofHost) => {
    const { made } = environment({}, { nodeSource: { getNode } as Partial<NodeSource> as NodeSource });
    const asked = made.forContainer(pod({ hostNetwork: true }), { name: 'c', env: hostIp }, []);
    if (ofHost === undefined) await expect(asked).rejects.toThrow(/host IP unknown; known|not yet/);
    else expect((await asked).envs[0]?.value).toBe(ofHost);
  });

  it('fills a missing limit with what the node can give', async () => {
    const env = [{ name: 'M', valueFrom: { resourceFieldRef: { resource: 'limits.memory', divisor: '1Gi' } } }];
    const { envs } = await environment().made.forContainer(pod({}), { name: 'c', env }, []);
    expect(envs).toEqual([{ name: 'M', value: '3' }]);
  });

  it('goes by the feature gates', async () => {
    const named = pod({ hostnameOverride: 'a.b.example' });
    const hostname = async (hostnameOverride: boolean): Promise<string> =>
      (await environment({ hostnameOverride }).made.forPod(named)).hostname;
    expect([await hostname(true), await hostname(false)]).toEqual(['a.b.example', 'web']);
    const env = [{ name: 'F', valueFrom: { fileKeyRef: { volumeName: 'v', path: 'p', key: 'k' } } }];
    const variables = async (envFiles: boolean): Promise<unknown> =>
      (await environment({ envFiles }).made.forContainer(pod({}), { name: 'c', env }, [])).envs;
    expect(await variables(false)).toEqual([{ name: 'F', value: '' }]);
    await expect(variables(true)).rejects.toThrow('cannot find the volume "v" referenced by FileKeyRef');
  });

  it('leaves /etc/hosts to a container that mounts one, and to pods without an address', async () => {
    const { made } = environment();
    expect((await made.forContainer(pod({}), { name: 'c' }, [])).mounts).toEqual([]);
    const own = { name: 'c', volumeMounts: [{ name: 'v', mountPath: '/etc/hosts' }] };
    await expect(made.forContainer(pod({}), own, ['10.0.0.7'])).rejects.toThrow('cannot find volume "v"');
  });

  it('names the option that is out of range', () => {
    expect(() => environment({ rootDir: 'relative' })).toThrow('rootDir must be an absolute path');
  });
});
