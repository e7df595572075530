import { existsSync, statSync } from 'node:fs';
import { mkdir, readFile, readlink, realpath, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { beforeAll, describe, expect, it } from '@jest/globals';
import type { CgroupTree, PodPage } from '@podwright/console-interface';
import type { ContainerStatus, Pod, Volume } from '@podwright/kube-types';
import { podUid } from '@podwright/kube-types';
import { labImages, labSupport } from '@podwright/lab';
import { ConsoleClient, messages } from './console-client.js';
import { askApi } from './kubelet-api.js';
import { stopOf } from './runtime-calls.js';
import { expectPodExplained } from './explained.js';
import { main, podManifest, script, untilTerm, type PodManifest } from './pod-manifests.js';
import { runtimeCases, runtimePods } from './runtime-cases.js';
import type { ContainerRecord } from './runtime-view.js';
import { useLab } from './test-lab.js';
import type { TestNode } from './test-node.js';
import { untilHolds } from './wait-for.js';

const isRunning = ({ status }: Pod): boolean => status?.phase === 'Running';
const hasEnded = ({ status }: Pod): boolean => status?.phase === 'Succeeded' || status?.phase === 'Failed';
const statusOf = ({ status }: Pod, name = 'main'): ContainerStatus | undefined =>
  [...(status?.initContainerStatuses ?? []), ...(status?.containerStatuses ?? [])].find((each) => each.name === name);

const runs = [...untilTerm];
const emptyDir = (name: string): Volume => ({ name, emptyDir: {} });
const mounted = (name: string, mountPath: string) => ({ volumeMounts: [{ name, mountPath }] });

const support = labSupport();
const onLab = support.ok ? describe : describe.skip;

onLab(`a pod${support.ok ? '' : ` (skipped: ${support.reason})`}`, () => {
  const bed = useLab();
  let node: TestNode;
  let host: string;

  const container = async (pod: string, name = 'main'): Promise<ContainerRecord> => {
    const found = (await bed().runtime.running(node.podName(pod))).find((each) => each.name === name);
    if (found === undefined) throw new Error(`no running container ${name} in pod ${pod}`);
    return found;
  };
  const exec = async (pod: string, text: string, name = 'main'): Promise<string> =>
    bed().runtime.exec((await container(pod, name)).id, ...script(text));

  beforeAll(async () => {
    node = await bed().startNode('pods', {
      configuration: { featureGates: { ImageVolumeWithDigest: true, ContainerStopSignals: true } },
      flags: ['--console-address', '127.0.0.1:0'],
    });
    host = path.join(node.dir, 'host');
    await mkdir(path.join(host, 'there'), { recursive: true });
    await writeFile(path.join(host, 'there/file'), 'from the host');
    // All at once, as they come up side by side; each test waits for its own.
    for (const manifest of [...manifests(host, bed().lab.socket), ...runtimePods(host)]) await node.add(manifest);
  });

  it('shows on the console how it starts, what it uses and what it writes, to who may see it', async () => {
    const client = await ConsoleClient.of(node);
    const name = node.podName('on-console');
    const stream = await client.open('/console/live');
    await node.waitFor('the console says hello', async () => messages(stream, 'hello').length === 1);
    const hostile = '<img src=x onerror=alert(1)>';
    const counts = main({ command: [...script('i=0; while true; do i=$((i+1)); echo line $i; sleep 0.1; done')] });
    const annotations = { hostile };
    await node.add(
      podManifest('on-console', { containers: [counts], terminationGracePeriodSeconds: 0 }, { annotations }),
    );
    const pod = await node.waitForPod('on-console', 'runs', isRunning);
    const uid = podUid(pod);
    const lane = () => messages(stream, 'lanes').flatMap(({ changed }) => changed.filter((each) => each.uid === uid));
    await node.waitFor('its lane has its start', async () => {
      const phases = new Set(
        lane()
          .at(-1)
          ?.spans.map(({ phase }) => phase),
      );
      return (['queue', 'sandbox', 'start', 'running', 'ready'] as const).every((phase) => phases.has(phase));
    });
    await untilHolds(async () => {
      const rows = messages(stream, 'pods').flatMap(({ changed }) => changed.filter((each) => each.uid === uid));
      const shown = { source: 'file', phase: 'Running', ready: true, headline: expect.any(String) };
      expect(rows.at(-1)).toMatchObject(shown);
    });
    await node.waitFor('its use is measured', async () => {
      const use = messages(stream, 'sample')
        .at(-1)
        ?.pods.find((each) => each.uid === uid);
      return (use?.cpuNanoCores ?? 0) > 0 && (use?.memoryWorkingSetBytes ?? 0) > 0;
    });
    stream.close();

    const page = await client.json<PodPage>(`/console/data/pods/default/${name}`);
    expect(page.annotations['hostile']).toBe(hostile);
    expect(page.events.map(({ reason }) => reason)).toEqual(expect.arrayContaining(['Created', 'Started']));
    const { groups } = await client.json<CgroupTree>('/console/data/cgroups');
    expect(groups.filter((group) => group.pod === `default/${name}`).map((group) => group.container)).toContain('main');
    const containers = groups.find((group) => group.pod === `default/${name}` && group.container === 'main');
    const rest = await client.json<{ readonly labels?: unknown }>(`/api/v1.3/containers${containers?.path ?? ''}`);
    expect(rest).toMatchObject({ name: containers?.path, spec: { labels: { 'io.kubernetes.pod.name': name } } });

    const logs = `/console/data/pods/default/${name}/containers/main/logs`;
    const following = await client.open(`${logs}?follow=true&tailLines=1`);
    await node.waitFor('what it writes now comes', async () => following.text().split('\n').length > 5);
    following.close();

    const none = { cookie: '' };
    expect([
      (await client.whole('/console/', none)).status,
      (await client.whole('/console/live', none)).status,
    ]).toEqual([401, 401]);
    expect((await client.whole('/console/?token=guess', none)).status).toBe(403);
    for (const target of ['/console/live', '/api/v1.3/machine']) {
      expect((await client.whole(target, { host: 'evil.example' })).status).toBe(403);
    }
    // The main port asks for a certificate, and knows no token.
    expect(await askApi(node.kubelet, '/console/data/journal?limit=1')).toMatchObject({ more: true });
    await expect(askApi(node.kubelet, '/console/data/journal?limit=1', { anonymous: true })).rejects.toThrow('401');
    await node.remove('on-console.json');
  });

  it('runs its init containers one after another, and the others after the last', async () => {
    await node.waitForPod('init-order', 'runs', isRunning);
    await untilHolds(async () => expect(await exec('init-order', 'cat /shared/order')).toBe('one\ntwo\nmain\n'));
    const { runtime } = bed();
    const records = await runtime.containers(node.podName('init-order'));
    const statuses = await Promise.all(
      ['one', 'two', 'main'].map((name) => runtime.status(records.find((each) => each.name === name)?.id ?? '')),
    );
    const [one, two, last] = statuses;
    expect(two?.startedAt).toBeGreaterThanOrEqual(one?.finishedAt ?? 0n);
    expect(last?.startedAt).toBeGreaterThanOrEqual(two?.finishedAt ?? 0n);
    const pod = await node.pod('init-order');
    expect(pod?.status?.conditions?.find(({ type }) => type === 'Initialized')?.status).toBe('True');
    expect(pod && statusOf(pod, 'one')?.state?.terminated).toMatchObject({ exitCode: 0, reason: 'Completed' });
  });

  it('has failed for good when an init container fails and the restart policy is Never', async () => {
    const pod = await node.waitForPod('init-fails', 'has failed', ({ status }) => status?.phase === 'Failed');
    expect(statusOf(pod, 'init')?.state?.terminated).toMatchObject({ exitCode: 7, reason: 'Error' });
    expect(statusOf(pod)?.state?.waiting?.reason).toBe('PodInitializing');
    const records = await bed().runtime.containers(node.podName('init-fails'));
    expect(records.map(({ name, attempt }) => ({ name, attempt }))).toEqual([{ name: 'init', attempt: 0 }]);
  });

  it('is restarted, or not, as its restart policy says', async () => {
    const never = await node.waitForPod('never', 'has ended', hasEnded);
    expect(never.status?.phase).toBe('Failed');
    expect(statusOf(never)).toMatchObject({ restartCount: 0, state: { terminated: { exitCode: 3 } } });
    const succeeds = await node.waitForPod('on-failure-succeeds', 'has ended', hasEnded);
    expect(succeeds.status?.phase).toBe('Succeeded');
    expect(statusOf(succeeds)).toMatchObject({ restartCount: 0, state: { terminated: { reason: 'Completed' } } });
    const fails = await node.waitForPod(
      'on-failure-fails',
      'was restarted',
      (pod) => statusOf(pod)?.restartCount === 1,
    );
    expect(fails.status?.phase).toBe('Running');
    expect(statusOf(fails)?.lastState?.terminated?.exitCode).toBe(4);
  });

  it('leaves its termination message, from its file or, where it has failed without one, from its log', async () => {
    const file = await node.waitForPod('message-file', 'has ended', hasEnded);
    expect(statusOf(file)?.state?.terminated?.message).toBe('in so many words');
    const log = await node.waitForPod('message-log', 'has ended', hasEnded);
    expect(statusOf(log)?.state?.terminated?.message).toBe('first words\nlast words\n');
  });

  it('sees what hostPath volumes of each type give it', async () => {
    await node.waitForPod('host-paths', 'runs', isRunning);
    expect(await exec('host-paths', 'cat /there/file /file')).toBe('from the hostfrom the host');
    expect(await exec('host-paths', 'test -S /socket && test -c /null && echo yes')).toBe('yes\n');
    await exec('host-paths', 'echo more > /made/by-pod; echo more > /made-file');
    expect(await readFile(path.join(host, 'made/by-pod'), 'utf8')).toBe('more\n');
    expect(await readFile(path.join(host, 'made-file'), 'utf8')).toBe('more\n');
    expect(statSync(path.join(host, 'made')).mode & 0o777).toBe(0o755);
    expect(statSync(path.join(host, 'made-file')).mode & 0o777).toBe(0o644);
  });

  it('does not start when a hostPath is not of its type, and an event says why', async () => {
    const missing = path.join(host, 'missing');
    const [event] = await node.waitFor('the event', async () => {
      const events = await node.events('host-path-missing', 'FailedMount');
      return events.length > 0 && events;
    });
    expect(event).toContain(`hostPath type check failed: ${missing} is not a directory`);
    expect(await bed().runtime.containers(node.podName('host-path-missing'))).toEqual([]);
    expect(existsSync(missing)).toBe(false);
    await expectPodExplained(node, node.podName('host-path-missing'), 'volume-host-path', { oneScreen: true });
  });

  it('shares an emptyDir between its containers, on disk or in memory', async () => {
    const pod = await node.waitForPod('empty-dirs', 'runs', isRunning);
    await exec('empty-dirs', 'echo here > /disk/file; echo there > /memory/file');
    expect(await exec('empty-dirs', 'cat /disk/file /memory/file', 'other')).toBe('here\nthere\n');
    expect(await exec('empty-dirs', "grep ' /memory ' /proc/mounts | cut -d' ' -f3")).toBe('tmpfs\n');
    expect((await exec('empty-dirs', 'stat -c %a /disk')).trim()).toBe('777');

    const volume = path.join(node.dir, 'root/pods', podUid(pod), 'volumes/kubernetes.io~empty-dir/disk');
    expect(await readFile(path.join(volume, 'file'), 'utf8')).toBe('here\n');
  });

  // containerd mounts images since 2.1.
  const itWithImageMounts = process.env['PODWRIGHT_ACCEPTANCE_CONTAINERD'] === '1.6' ? it.skip : it;
  itWithImageMounts('gets the files of an image as a volume', async () => {
    const mounted = main({ volumeMounts: [{ name: 'files', mountPath: '/files' }] });
    const volumes = [{ name: 'files', image: { reference: labImages.busybox } }];
    await node.add(podManifest('image-volume', { volumes, containers: [mounted] }));
    const pod = await node.waitForPod('image-volume', 'runs', isRunning);
    const [mount] = (statusOf(pod)?.volumeMounts ?? []) as readonly { readonly volumeStatus?: unknown }[];
    expect(mount?.volumeStatus).toEqual({ image: { imageRef: expect.stringMatching(/^(sha256:)?[0-9a-f]{64}$/) } });
    expect(await exec('image-volume', 'ls /files/bin/busybox')).toBe('/files/bin/busybox\n');
    await node.remove('image-volume.json');
    await node.removed('image-volume');
  });

  it('gets its environment: values, references to earlier ones, fields of the pod, resources', async () => {
    const pod = await node.waitForPod('environment', 'runs', isRunning);
    const lines = (await exec('environment', 'env')).split('\n');
    expect(lines).toEqual(
      expect.arrayContaining([
        'PLAIN=value',
        'REFERENCE=a value, $(PLAIN), $(UNKNOWN)',
        `NAME=${node.podName('environment')}`,
        `NODE=${node.name}`,
        `IP=${pod.status?.podIP}`,
        `HOST=${bed().lab.network.gateway}`,
        'LABEL=blue',
        'MEMORY=64',
      ]),
    );
    expect(await exec('environment', 'cat /proc/1/cmdline | tr "\\0" " "')).toContain('value of $(PLAIN)');
  });

  it('has an address, a host name and a hosts file of its own', async () => {
    const pod = await node.waitForPod('hosts', 'runs', isRunning);
    const { podIP, podIPs, hostIP } = pod.status ?? {};
    expect(podIPs).toEqual([{ ip: podIP }]);
    expect(hostIP).toBeUndefined();
    expect(await exec('hosts', 'hostname')).toBe(`${node.podName('hosts')}\n`);
    const hosts = await exec('hosts', 'cat /etc/hosts');
    expect(hosts).toContain('# Kubernetes-managed hosts file.\n');
    expect(hosts).toContain(`${podIP}\t${node.podName('hosts')}\n`);
    expect(hosts).toContain('\n# Entries added by HostAliases.\n192.0.2.1\tone\ttwo\n');
  });

  it('on the host network has the name and network of the machine, and without an API server no address', async () => {
    const pod = await node.waitForPod('host-network', 'runs', isRunning);
    expect(pod.status).not.toHaveProperty('podIP');
    expect(await exec('host-network', 'hostname')).toBe(`${os.hostname()}\n`);
    expect(await exec('host-network', 'head -1 /etc/hosts')).toBe('# Kubernetes-managed hosts file (host network).\n');
    const pid = await bed().runtime.pid((await container('host-network')).id);
    expect(await readlink(`/proc/${pid}/ns/net`)).toBe(await readlink('/proc/self/ns/net'));
  });

  it('with shareProcessNamespace sees the processes of its other containers', async () => {
    await node.waitForPod('shared-processes', 'runs', isRunning);
    await untilHolds(async () => {
      const processes = await exec('shared-processes', 'ps -o pid,args');
      expect(processes).toMatch(/^ +1 \/pause$/m);
      expect(processes).toContain('sleep 54321');
    });
    await node.waitForPod('hosts', 'runs', isRunning);
    expect(await exec('hosts', 'ps -o pid,args')).not.toContain('/pause');
  });

  it('runs as the user of its security context', async () => {
    await node.waitForPod('as-user', 'runs', isRunning);
    expect(await exec('as-user', 'id -u; id -g')).toBe('1234\n2345\n');
    expect(await exec('as-user', 'id -G')).toContain('3456');
    expect(await exec('as-user', 'id -u; grep NoNewPrivs /proc/self/status', 'other')).toBe('99\nNoNewPrivs:\t1\n');
    expect(await exec('as-user', 'touch /file 2>&1 || true', 'other')).toContain('Read-only file system');
  });

  it('is refused with a message where it must not run as root and would, or might', async () => {
    const reason = (pod: Pod): boolean => statusOf(pod)?.state?.waiting?.reason === 'CreateContainerConfigError';
    const root = await node.waitForPod('non-root', 'is refused', reason);
    const where = (pod: string): string => `(pod: "${node.podName(pod)}_default(${podUid(root)})", container: main)`;
    expect(statusOf(root)?.state?.waiting?.message).toBe(
      `container has runAsNonRoot and image will run as root ${where('non-root')}`,
    );
    const named = await node.waitForPod('non-root-named', 'is refused', reason);
    expect(statusOf(named)?.state?.waiting?.message).toContain(
      'container has runAsNonRoot and image has non-numeric user (app), cannot verify user is non-root',
    );
    await node.waitForPod('non-root-numeric', 'runs', isRunning);
    expect(await exec('non-root-numeric', 'id -u')).toBe('1000\n');
  });

  it('is killed after its grace period when it does not listen to TERM', async () => {
    await node.waitForPod('deaf', 'runs', isRunning);
    const { id } = await container('deaf');
    await node.remove('deaf.json');
    await node.removed('deaf');
    const { graceSeconds, tookMs } = await stopOf(bed().lab, id);
    expect(graceSeconds).toBe(3);
    expect(tookMs).toBeGreaterThanOrEqual(2_900);
  });

  it('has the labels, annotations and log path of upstream at the runtime', async () => {
    const pod = await node.waitForPod('records', 'runs', isRunning);
    const { runtime } = bed();
    const name = node.podName('records');
    const identity = {
      'io.kubernetes.pod.name': name,
      'io.kubernetes.pod.namespace': 'default',
      'io.kubernetes.pod.uid': podUid(pod),
    };
    const { id, sandboxId } = await container('records');
    const { status: sandbox } = await runtime.client.podSandboxStatus({ podSandboxId: sandboxId });
    // CRI-O adds a label of its own.
    const added = bed().lab.runtime === 'cri-o' ? { 'io.kubernetes.container.name': 'POD' } : {};
    expect(sandbox?.labels).toEqual({ ...identity, ...added, app: 'records' });
    expect(sandbox?.metadata).toEqual({ name, namespace: 'default', uid: podUid(pod), attempt: 0 });
    expect(sandbox?.annotations).toEqual({
      note: 'kept',
      'kubernetes.io/config.hash': podUid(pod),
      'kubernetes.io/config.seen': expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{9}Z$/),
      'kubernetes.io/config.source': 'file',
    });
    const status = await runtime.status(id);
    expect(status.metadata).toEqual({ name: 'main', attempt: 0 });
    expect(status.labels).toEqual({ ...identity, 'io.kubernetes.container.name': 'main' });
    expect(status.annotations).toEqual({
      'io.kubernetes.container.hash': expect.stringMatching(/^[1-9a-f][0-9a-f]*$/),
      'io.kubernetes.container.restartCount': '0',
      'io.kubernetes.container.terminationMessagePath': '/dev/termination-log',
      'io.kubernetes.container.terminationMessagePolicy': 'File',
      'io.kubernetes.pod.terminationGracePeriod': '30',
      'io.kubernetes.container.ports': JSON.stringify([{ name: 'http', containerPort: 8080, protocol: 'TCP' }]),
    });
    const log = path.join(node.dir, 'pod-logs', `default_${name}_${podUid(pod)}`, 'main/0.log');
    expect(status.logPath).toBe(log);
    await untilHolds(async () => expect(await readFile(log, 'utf8')).toMatch(/^\S+ stdout F words of the log\n$/));
    const link = path.join(node.dir, 'container-logs', `${name}_default_main-${id}.log`);
    expect(await readlink(link)).toBe(log);
    expect(await realpath(link)).toBe(await realpath(log));
  });

  runtimeCases(bed, () => ({ node, host }));
});

function manifests(host: string, socket: string): readonly PodManifest[] {
  const other = main({ name: 'other' });
  const once = (name: string, text: string, spec: Partial<PodManifest['spec']>, fields = {}): PodManifest =>
    podManifest(name, { ...spec, containers: [main({ command: [...script(text)], ...fields })] });
  const hostPath = (name: string, at: string, type: string): Volume => ({ name, hostPath: { path: at, type } });
  const append = (name: string, rest = ''): readonly string[] => script(`echo ${name} >> /shared/order${rest}`);
  return [
    podManifest('init-order', {
      volumes: [emptyDir('work')],
      initContainers: [
        main({
          name: 'one',
          command: [...script('sleep 0.5; echo one >> /shared/order')],
          ...mounted('work', '/shared'),
        }),
        main({ name: 'two', command: [...append('two')], ...mounted('work', '/shared') }),
      ],
      containers: [main({ command: [...append('main', `; ${runs[2] ?? ''}`)], ...mounted('work', '/shared') })],
    }),
    podManifest('init-fails', {
      restartPolicy: 'Never',
      initContainers: [main({ name: 'init', command: [...script('exit 7')] })],
    }),
    once('never', 'exit 3', { restartPolicy: 'Never' }),
    once('on-failure-succeeds', 'exit 0', { restartPolicy: 'OnFailure' }),
    once('on-failure-fails', 'exit 4', { restartPolicy: 'OnFailure' }),
    once('message-file', 'printf "in so many words" > /dev/termination-log', { restartPolicy: 'Never' }),
    once(
      'message-log',
      'echo first words; echo last words; exit 1',
      { restartPolicy: 'Never' },
      {
        terminationMessagePolicy: 'FallbackToLogsOnError',
      },
    ),
    podManifest('host-paths', {
      volumes: [
        hostPath('there', path.join(host, 'there'), 'Directory'),
        hostPath('file', path.join(host, 'there/file'), 'File'),
        hostPath('made', path.join(host, 'made'), 'DirectoryOrCreate'),
        hostPath('made-file', path.join(host, 'made-file'), 'FileOrCreate'),
        hostPath('socket', socket, 'Socket'),
        hostPath('null', '/dev/null', 'CharDevice'),
      ],
      containers: [
        main({
          volumeMounts: ['there', 'file', 'made', 'made-file', 'socket', 'null'].map((name) => ({
            name,
            mountPath: `/${name}`,
          })),
        }),
      ],
    }),
    podManifest('host-path-missing', {
      volumes: [hostPath('missing', path.join(host, 'missing'), 'Directory')],
      containers: [main(mounted('missing', '/missing'))],
    }),
    podManifest('empty-dirs', {
      volumes: [emptyDir('disk'), { name: 'memory', emptyDir: { medium: 'Memory' } }],
      containers: [main(), other].map((each) => ({
        ...each,
        volumeMounts: [
          { name: 'disk', mountPath: '/disk' },
          { name: 'memory', mountPath: '/memory' },
        ],
      })),
    }),
    podManifest(
      'environment',
      {
        containers: [
          main({
            args: [...runs.slice(2), 'value of $$(PLAIN)', '$(PLAIN)'],
            command: ['sh', '-c'],
            resources: { requests: { memory: '32Mi' }, limits: { memory: '64Mi' } },
            env: [
              { name: 'PLAIN', value: 'value' },
              { name: 'REFERENCE', value: 'a $(PLAIN), $$(PLAIN), $(UNKNOWN)' },
              { name: 'NAME', valueFrom: { fieldRef: { fieldPath: 'metadata.name' } } },
              { name: 'NODE', valueFrom: { fieldRef: { fieldPath: 'spec.nodeName' } } },
              { name: 'IP', valueFrom: { fieldRef: { fieldPath: 'status.podIP' } } },
              { name: 'HOST', valueFrom: { fieldRef: { fieldPath: 'status.hostIP' } } },
              { name: 'LABEL', valueFrom: { fieldRef: { fieldPath: "metadata.labels['colour']" } } },
              { name: 'MEMORY', valueFrom: { resourceFieldRef: { resource: 'limits.memory', divisor: '1Mi' } } },
            ],
          }),
        ],
      },
      { labels: { colour: 'blue' } },
    ),
    podManifest('hosts', { hostAliases: [{ ip: '192.0.2.1', hostnames: ['one', 'two'] }] }),
    podManifest('host-network', { hostNetwork: true }),
    podManifest('shared-processes', {
      shareProcessNamespace: true,
      containers: [main(), main({ name: 'other', command: [...script('trap "exit 0" TERM; sleep 54321 & wait')] })],
    }),
    podManifest('as-user', {
      securityContext: { runAsUser: 1234, runAsGroup: 2345, supplementalGroups: [3456] },
      containers: [
        main(),
        {
          ...other,
          securityContext: { runAsUser: 99, allowPrivilegeEscalation: false, readOnlyRootFilesystem: true },
        },
      ],
    }),
    podManifest('non-root', { securityContext: { runAsNonRoot: true } }),
    podManifest('non-root-named', {
      securityContext: { runAsNonRoot: true },
      containers: [main({ image: labImages.namedUser })],
    }),
    podManifest('non-root-numeric', {
      securityContext: { runAsNonRoot: true },
      containers: [main({ image: labImages.numericUser })],
    }),
    podManifest('deaf', {
      terminationGracePeriodSeconds: 3,
      containers: [main({ command: [...script('trap "" TERM; while :; do sleep 1000; done')] })],
    }),
    podManifest(
      'records',
      {
        containers: [
          main({
            command: [...script(`echo words of the log; ${runs[2] ?? ''}`)],
            ports: [{ name: 'http', containerPort: 8080 }],
          }),
        ],
      },
      { labels: { app: 'records' }, annotations: { note: 'kept' } },
    ),
  ];
}
