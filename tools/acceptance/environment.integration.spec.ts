import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { mountsBelow, readMountTable } from '@podwright/filesystem';
import type { EnvVar, Pod, VolumeMount } from '@podwright/kube-types';
import { podUid } from '@podwright/kube-types';
import { labSupport } from '@podwright/lab';
import { ApiPodFile } from './api-pod-file.js';
import { main, podManifest, script, untilTerm, type PodManifest } from './pod-manifests.js';
import { useLab } from './test-lab.js';
import type { TestNode } from './test-node.js';

const isRunning = ({ status }: Pod): boolean => status?.phase === 'Running';
const support = labSupport();
const onLab = support.ok ? describe : describe.skip;

onLab(`what surrounds a container${support.ok ? '' : ` (skipped: ${support.reason})`}`, () => {
  const bed = useLab();
  let node: TestNode;
  let api: ApiPodFile;

  const exec = async (name: string, text: string): Promise<string> => {
    const found = (await bed().runtime.running()).find(({ pod }) => pod === node.podName(name) || pod === name);
    if (found === undefined) throw new Error(`no running container in pod ${name}`);
    return bed().runtime.exec(found.id, ...script(text));
  };

  beforeAll(async () => {
    const { dir } = bed().lab;
    const resolvConf = path.join(dir, 'node-resolv.conf');
    await writeFile(resolvConf, 'nameserver 192.0.2.1\nsearch node.test\noptions timeout:1\n');
    api = new ApiPodFile(path.join(dir, 'environment-pods.json'));
    node = await bed().startNode('environment', {
      configuration: { clusterDomain: 'cluster.test', clusterDNS: ['192.0.2.53'], resolvConf, syncFrequency: '2s' },
      assembly: api.assembly,
    });
    await Promise.all([
      node.add(identity()),
      node.add(volumes()),
      node.add(envFile()),
      api.add(observed({ step: 'one' })),
    ]);
  });

  it('host names, hosts file and resolver settings are upstream’s, byte by byte', async () => {
    const pod = await node.waitForPod('identity', 'runs', isRunning);
    const ip = pod.status?.podIP ?? '';
    const fqdn = 'self.peers.default.svc.cluster.test';
    expect(await exec('identity', 'hostname')).toBe(`${fqdn}\n`);
    expect(await exec('identity', 'cat /etc/hosts')).toBe(
      [
        '# Kubernetes-managed hosts file.',
        '127.0.0.1\tlocalhost',
        '::1\tlocalhost ip6-localhost ip6-loopback',
        'fe00::0\tip6-localnet',
        'fe00::0\tip6-mcastprefix',
        'fe00::1\tip6-allnodes',
        'fe00::2\tip6-allrouters',
        `${ip}\t${fqdn}\tself`,
        '',
        '# Entries added by HostAliases.',
        '192.0.2.7\tone.test\ttwo.test',
        '',
      ].join('\n'),
    );
    const resolver = (await exec('identity', 'cat /etc/resolv.conf')).split('\n').filter((line) => line !== '');
    expect(resolver).toEqual([
      'search default.svc.cluster.test svc.cluster.test cluster.test node.test more.test',
      'nameserver 192.0.2.53',
      'nameserver 192.0.2.54',
      expect.stringMatching(/^options (ndots:2 edns0|edns0 ndots:2)$/),
    ]);
  });

  it('variables tell about pod, node and resources', async () => {
    const pod = await node.waitForPod('identity', 'runs', isRunning);
    const lines = (await exec('identity', 'tr "\\0" "\\n" < /proc/1/environ')).split('\n');
    const values = Object.fromEntries(lines.map((line) => [line.split('=', 1)[0], line.slice(line.indexOf('=') + 1)]));
    const gateway = bed().lab.network.gateway;
    expect(values).toMatchObject({
      NAME: node.podName('identity'),
      NAMESPACE: 'default',
      UID: podUid(pod),
      LABEL: 'front',
      ANNOTATION: 'two words',
      NODE: 'environment',
      ACCOUNT: '',
      POD_IP: pod.status?.podIP,
      POD_IPS: pod.status?.podIP,
      HOST_IP: gateway,
      HOST_IPS: gateway,
      MEMORY: '64',
      CPU: '250',
      MIXED: `$(NAME) is ${node.podName('identity')}, not $(LATER)`,
    });
    expect(Number(values['NODE_CPU'])).toBeGreaterThan(0);
    expect(lines.filter((line) => line.includes('_SERVICE_'))).toEqual([]);
  });

  it('a downwardAPI volume has upstream’s layout, modes and owners', async () => {
    await node.waitForPod('volumes', 'runs', isRunning);
    const listed = (
      await exec(
        'volumes',
        'cd /info; stat -c "%A %u:%g %N" ..data labels deep ..data/ ..data/labels ..data/deep ..data/deep/name',
      )
    )
      .replaceAll(/\d{4}(_\d\d){5}\.\d+/g, 'TIME')
      .replaceAll('"', "'");
    expect(listed.split('\n')).toEqual([
      "lrwxrwxrwx 0:4321 '..data' -> '..TIME'",
      "lrwxrwxrwx 0:4321 'labels' -> '..data/labels'",
      "lrwxrwxrwx 0:4321 'deep' -> '..data/deep'",
      'drwxr-sr-x 0:4321 ..data/',
      '-rw-r--r-- 0:4321 ..data/labels',
      'drwxr-sr-x 0:4321 ..data/deep',
      '-r--r----- 0:4321 ..data/deep/name',
      '',
    ]);
    expect(await exec('volumes', 'cat /info/labels')).toBe('tier="back"\nzone="a"');
    expect(await exec('volumes', 'cat /info/memory /info/deep/name')).toBe(`67108864${node.podName('volumes')}`);
    expect(await exec('volumes', 'touch /info/x 2>&1 || true')).toContain('Read-only file system');
    expect(await exec('volumes', 'grep " /info " /proc/mounts')).toMatch(/ tmpfs ro,.*size=65536k/);
  });

  it('an emptyDir belongs to the fsGroup, of which processes are members', async () => {
    await node.waitForPod('volumes', 'runs', isRunning);
    expect(await exec('volumes', 'stat -c "%A %u:%g" /shared')).toBe('drwxrwsrwx 0:4321\n');
    expect(await exec('volumes', 'id -u; id -G')).toMatch(/^1000\n.*\b4321\b/);
    expect(await exec('volumes', 'touch /shared/mine && stat -c "%u:%g" /shared/mine')).toBe('1000:4321\n');
  });

  it('a variable comes from a file that an init container wrote', async () => {
    await node.waitForPod('env-file', 'runs', isRunning);
    expect(await exec('env-file', 'tr "\\0" "\\n" < /proc/1/environ | grep ^FROM_ | sort')).toBe('FROM_FILE=a # b\n');
  });

  it('a container whose variables cannot be made waits, and says why in upstream’s words', async () => {
    const file = path.join(node.dir, 'root/pods');
    await node.add(envFile('env-missing', 'OTHER'));
    const pod = await node.waitForPod('env-missing', 'waits', ({ status }) => {
      return status?.containerStatuses?.[0]?.state?.waiting?.reason === 'CreateContainerConfigError';
    });
    const volume = path.join(file, podUid(pod), 'volumes/kubernetes.io~empty-dir/v');
    const message = `environment variable key "OTHER" not found in file "${volume}/env"`;
    expect(pod.status?.containerStatuses?.[0]?.state?.waiting?.message).toBe(message);
    await node.waitFor('an event tells it', async () => {
      return (await node.events('env-missing', 'Failed')).some((line) => line.includes('environment variable key'));
    });
    await node.remove('env-missing.json');
  });

  it('a downwardAPI volume follows the labels of a running pod, which is not restarted for it', async () => {
    const running = async (): Promise<string | undefined> =>
      (await bed().runtime.running('observed')).map(({ id }) => id)[0];
    const before = await node.waitFor('the pod of the API runs', running);
    expect(await exec('observed', 'cat /info/labels')).toBe('step="one"');
    await api.add(observed({ more: 'yes', step: 'two' }));
    await node.waitFor('the file has the new labels', async () => {
      return (await exec('observed', 'cat /info/labels')) === 'more="yes"\nstep="two"';
    });
    expect(await running()).toBe(before);
    expect(await exec('observed', 'ls -a /info')).toMatch(/^\.\n\.\.\n\.\.\d{4}(_\d\d){5}\.\d+\n\.\.data\nlabels\n$/);
  });

  it('a killed kubelet finds its volumes again, leaves them as they are, and goes on refreshing them', async () => {
    const data = await exec('observed', 'readlink /info/..data');
    await node.end('SIGKILL');
    await node.start();
    await node.untilUp();
    await api.add(observed({ step: 'three' }));
    await node.waitFor('the file has the new labels', async () => {
      return (await exec('observed', 'cat /info/labels')) === 'step="three"';
    });
    expect(await exec('observed', 'readlink /info/..data')).not.toBe(data);
    await api.remove('uid-observed');
    await node.remove('volumes.json');
    await node.removed('volumes');
    await node.waitFor('nothing of the pods is mounted', async () => {
      const mounts = mountsBelow(await readMountTable(), node.dir);
      return !mounts.some(({ mountPoint }) => mountPoint.includes('downward-api'));
    });
  });
});

const field = (name: string, fieldPath: string): EnvVar => ({ name, valueFrom: { fieldRef: { fieldPath } } });
const resource = (name: string, what: string, divisor: string): EnvVar => ({
  name,
  valueFrom: { resourceFieldRef: { resource: what, divisor } },
});
const at = (name: string, mountPath: string): VolumeMount => ({ name, mountPath });
const memory = { limits: { memory: '64Mi', cpu: '250m' } };

function identity(): PodManifest {
  return podManifest(
    'identity',
    {
      hostname: 'self',
      subdomain: 'peers',
      setHostnameAsFQDN: true,
      hostAliases: [{ ip: '192.0.2.7', hostnames: ['one.test', 'two.test'] }],
      dnsConfig: {
        nameservers: ['192.0.2.54'],
        searches: ['more.test'],
        options: [{ name: 'ndots', value: '2' }, { name: 'edns0' }],
      },
      containers: [
        main({
          resources: memory,
          env: [
            field('NAME', 'metadata.name'),
            field('NAMESPACE', 'metadata.namespace'),
            field('UID', 'metadata.uid'),
            field('LABEL', "metadata.labels['tier']"),
            field('ANNOTATION', "metadata.annotations['note']"),
            field('NODE', 'spec.nodeName'),
            field('ACCOUNT', 'spec.serviceAccountName'),
            field('POD_IP', 'status.podIP'),
            field('POD_IPS', 'status.podIPs'),
            field('HOST_IP', 'status.hostIP'),
            field('HOST_IPS', 'status.hostIPs'),
            resource('MEMORY', 'limits.memory', '1Mi'),
            resource('CPU', 'requests.cpu', '1m'),
            resource('NODE_CPU', 'limits.ephemeral-storage', '1'),
            { name: 'MIXED', value: '$$(NAME) is $(NAME), not $(LATER)' },
            { name: 'LATER', value: 'x' },
          ],
        }),
      ],
    },
    { labels: { tier: 'front' }, annotations: { note: 'two words' } },
  );
}

function volumes(): PodManifest {
  return podManifest(
    'volumes',
    {
      securityContext: { fsGroup: 4321, runAsUser: 1000 },
      volumes: [
        {
          name: 'info',
          downwardAPI: {
            items: [
              { path: 'labels', fieldRef: { fieldPath: 'metadata.labels' } },
              { path: 'deep/name', fieldRef: { fieldPath: 'metadata.name' }, mode: 0o400 },
              { path: 'memory', resourceFieldRef: { containerName: 'main', resource: 'limits.memory' } },
            ],
          },
        },
        { name: 'work', emptyDir: {} },
      ],
      containers: [main({ resources: memory, volumeMounts: [at('info', '/info'), at('work', '/shared')] })],
    },
    { labels: { zone: 'a', tier: 'back' } },
  );
}

function envFile(name = 'env-file', needed = 'KEY'): PodManifest {
  const fileKeyRef = (key: string, optional: boolean) => ({
    fileKeyRef: { volumeName: 'v', path: 'env', key, optional },
  });
  return podManifest(name, {
    volumes: [{ name: 'v', emptyDir: {} }],
    initContainers: [
      main({ name: 'init', command: [...script(`echo "KEY='a # b'" > /v/env`)], volumeMounts: [at('v', '/v')] }),
    ],
    containers: [
      main({
        env: [
          { name: 'FROM_FILE', valueFrom: fileKeyRef(needed, false) },
          { name: 'FROM_NOTHING', valueFrom: fileKeyRef('NONE', true) },
        ],
      }),
    ],
  });
}

function observed(labels: Readonly<Record<string, string>>): PodManifest {
  const items = [{ path: 'labels', fieldRef: { fieldPath: 'metadata.labels' } }];
  return podManifest(
    'observed',
    {
      nodeName: 'environment',
      volumes: [{ name: 'info', downwardAPI: { items } }],
      containers: [main({ command: [...untilTerm], volumeMounts: [at('info', '/info')] })],
    },
    { labels },
  );
}
