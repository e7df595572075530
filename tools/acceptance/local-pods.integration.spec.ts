import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { lstat, mkdir, readdir, readFile, readlink, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { beforeAll, describe, expect, it } from '@jest/globals';
import type { ConfigMap, ContainerStatus, Pod, Secret } from '@podwright/kube-types';
import { labSupport, tryCommand, type CommandResult } from '@podwright/lab';
import { buildExecutable } from '../build/executable.js';
import { readAssemblyEntries } from '../start/assembly-option.js';
import { repositoryRoot } from '../workspace/repository-root.js';
import type { ApiFailure } from './local-api.js';
import { LocalNode, objectPath } from './local-node.js';
import { once as onceContainer, PodDiary, polite, untilBegun } from './pod-diary.js';
import { main, podManifest, script, type PodManifest } from './pod-manifests.js';
import { useLab } from './test-lab.js';
import { untilHolds, waitFor } from './wait-for.js';

const statusOf = ({ status }: Pod, name = 'main'): ContainerStatus | undefined =>
  status?.containerStatuses?.find((each) => each.name === name);
const isReady = ({ status }: Pod): boolean =>
  (status?.conditions ?? []).some(({ type, status: value }) => type === 'Ready' && value === 'True');
const configMap = (name: string, data: ConfigMap['data']): ConfigMap & { readonly metadata: { name: string } } => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name },
  ...(data && { data }),
});
const secret = (name: string, stringData: Secret['stringData']): Secret & { readonly metadata: { name: string } } => ({
  apiVersion: 'v1',
  kind: 'Secret',
  metadata: { name },
  ...(stringData && { stringData }),
});
// The kubelet refuses it, so that it costs nothing: only its object matters.
const idle = (name: string): PodManifest => podManifest(name, { nodeSelector: { nowhere: 'true' } });

/** A pod that uses a config map and a secret in every way, ready when the file `/tmp/ready` is there. */
const consumer = podManifest('consumer', {
  containers: [
    main({
      env: [
        { name: 'GREETING', valueFrom: { configMapKeyRef: { name: 'words', key: 'greeting' } } },
        { name: 'PASSWORD', valueFrom: { secretKeyRef: { name: 'keys', key: 'password' } } },
      ],
      command: [...script('echo "$GREETING $PASSWORD"; trap "exit 0" TERM; sleep 1000000 & wait')],
      readinessProbe: { exec: { command: ['test', '-e', '/tmp/ready'] }, periodSeconds: 1 },
      volumeMounts: [
        { name: 'words', mountPath: '/words' },
        { name: 'kept', mountPath: '/kept' },
        { name: 'all', mountPath: '/all' },
      ],
    }),
  ],
  volumes: [
    { name: 'words', configMap: { name: 'words' } },
    { name: 'kept', configMap: { name: 'kept' } },
    {
      name: 'all',
      projected: {
        sources: [
          { secret: { name: 'keys' } },
          { downwardAPI: { items: [{ path: 'name', fieldRef: { fieldPath: 'metadata.name' } }] } },
        ],
      },
    },
  ],
});

const support = labSupport();
const onLab = support.ok ? describe : describe.skip;

onLab(`pods without a cluster${support.ok ? '' : ` (skipped: ${support.reason})`}`, () => {
  const bed = useLab();
  let node: LocalNode;
  let diary: PodDiary;
  let executable: string;
  let command: string;
  let objectsDir: string;

  /** Runs the command of people on the node's socket. */
  const podwright = (...args: readonly string[]): Promise<CommandResult> =>
    tryCommand(process.execPath, [command, '--socket', node.api.socketPath, ...args]);
  const says = (pod: string, words: string): Promise<unknown> =>
    node.kubelet.waitFor(`${pod} says ${words}`, async () => (await diary.words(pod)).includes(words));
  const gone = (pod: string): Promise<unknown> =>
    node.kubelet.waitFor(
      `${pod} is gone`,
      async () => (await node.api.call('GET', objectPath('pods', pod))).code === 404,
    );
  const versionOf = async (resource: string): Promise<string | undefined> =>
    (await node.api.object<{ metadata: { resourceVersion?: string } }>('GET', `/api/v1/${resource}`)).metadata
      .resourceVersion;

  beforeAll(async () => {
    [executable, command] = (await Promise.all(['kubelet-standalone', 'podwright'].map(buildExecutable))).map(
      ({ file }) => file,
    ) as [string, string];
    diary = new PodDiary(path.join(bed().lab.dir, 'diary'));
    await mkdir(diary.folder);
    objectsDir = path.join(bed().lab.dir, 'objects');
    await mkdir(objectsDir);
    await writeFile(path.join(objectsDir, 'kept.json'), JSON.stringify(configMap('kept', { rule: 'old' })));
    node = await LocalNode.start(bed(), 'alone', { executable, storeMiB: 4, flags: ['--objects-dir', objectsDir] });
    await node.kubelet.add(podManifest('static'));
    await node.api.object('PUT', '/api/v1/configmaps', { items: [configMap('words', { greeting: 'hello' })] });
    await node.api.object('PUT', '/api/v1/secrets', { items: [secret('keys', { password: 'open sesame' })] });
    const orders = diary.pod('orders', {
      terminationGracePeriodSeconds: 20,
      initContainers: [
        onceContainer('first', 'true'),
        polite('side', { restartPolicy: 'Always', lifecycle: { postStart: untilBegun } }),
      ],
      containers: [polite('main')],
    });
    // Not before its shell listens to SIGTERM.
    const fails = ['sh', '-c', '! [ -e /listens ]'];
    const ill = podManifest('ill', {
      containers: [
        main({
          command: [...script('trap "exit 0" TERM; touch /listens; sleep 1000000 & wait')],
          livenessProbe: { exec: { command: fails }, periodSeconds: 1, timeoutSeconds: 10, failureThreshold: 1 },
        }),
      ],
    });
    const job = diary.pod('job', { restartPolicy: 'Never', containers: [onceContainer('main', 'true')] });
    await node.api.object('PUT', '/api/v1/pods', {
      apiVersion: 'v1',
      kind: 'PodList',
      items: [consumer, orders, ill, job],
    });
  });

  it('it listens on nothing but its socket, which only root may use', async () => {
    expect((await lstat(node.api.socketPath)).mode & 0o777).toBe(0o600);
    const pid = node.kubelet.kubelet.child.pid ?? 0;
    const descriptors = await readdir(`/proc/${pid}/fd`);
    const links = await Promise.all(descriptors.map((fd) => readlink(`/proc/${pid}/fd/${fd}`).catch(() => '')));
    const tables = await Promise.all(['tcp', 'tcp6'].map((table) => readFile(`/proc/${pid}/net/${table}`, 'utf8')));
    const listening = tables
      .flatMap((table) => table.trim().split('\n').slice(1))
      .map((line) => line.trim().split(/\s+/))
      .filter((fields) => fields[3] === '0A' && links.includes(`socket:[${fields[9]}]`));
    expect(listening.map((fields) => fields[1])).toEqual([]);
  });

  it('a pod runs with the config map and secret as variables and files, and gets updates while it runs', async () => {
    const running = await node.until('consumer', 'runs', ({ status }) => status?.phase === 'Running');
    expect(isReady(running)).toBe(false);
    await untilHolds(async () =>
      expect(await node.api.text(`${objectPath('pods', 'consumer')}/log`)).toBe('hello open sesame\n'),
    );
    expect(await node.exec('consumer', 'cat', '/words/greeting', '/kept/rule', '/all/name')).toBe('hellooldconsumer');
    await node.exec('consumer', 'touch', '/tmp/ready');
    const ready = await node.until('consumer', 'is ready', isReady);

    await node.put('configmaps', configMap('words', { greeting: 'good day' }));
    await node.put('secrets', secret('keys', { password: 'changed' }));
    await writeFile(path.join(objectsDir, 'kept.json'), JSON.stringify(configMap('kept', { rule: 'new' })));
    await node.kubelet.waitFor(
      'the files of the running pod are new',
      async () =>
        (await node.exec('consumer', 'cat', '/words/greeting', '/kept/rule', '/all/password')) === 'good daynewchanged',
    );
    expect(statusOf(await node.pod('consumer'))?.containerID).toBe(statusOf(ready)?.containerID);
  });

  it('a person reads its log and runs commands in it', async () => {
    expect(await podwright('logs', 'consumer')).toMatchObject({ code: 0, stdout: 'hello open sesame\n' });
    expect(await podwright('exec', 'consumer', '--', 'cat', '/words/greeting')).toMatchObject({ stdout: 'good day' });
    expect(await podwright('exec', 'consumer', '--', 'sh', '-c', 'exit 7')).toMatchObject({ code: 7 });
    const explained = await podwright('explain', 'pod', 'consumer');
    expect(explained.stdout).toMatch(
      /^Pod default\/consumer {2}\(Running, ready, from local, .*\)\nThe pod runs and is ready\.\n/,
    );
    expect((await podwright('explain', 'node')).stdout).toMatch(/^Node alone\nThe node is /);
  });

  it('init and sidecar containers start in their order, and a deleted pod ends gracefully and in order', async () => {
    await node.until('orders', 'is ready', isReady);
    await says('orders', 'main begins');
    expect(await diary.words('orders')).toEqual(['first begins', 'first ends', 'side begins', 'main begins']);
    const marked = await node.api.object<Pod>('DELETE', objectPath('pods', 'orders'));
    expect(marked.metadata).toMatchObject({ deletionGracePeriodSeconds: 20, deletionTimestamp: expect.any(String) });
    await gone('orders');
    expect((await diary.words('orders')).slice(4)).toEqual(['main TERM', 'main ends', 'side TERM', 'side ends']);
  });

  it('a container that fails its liveness probe is restarted, and the one before keeps its log', async () => {
    const pod = await node.until('ill', 'was restarted', (seen) => (statusOf(seen)?.restartCount ?? 0) > 0);
    expect(statusOf(pod)?.lastState?.terminated).toMatchObject({ reason: 'Completed', exitCode: 0 });
    expect(await node.api.text(`${objectPath('pods', 'ill')}/log?previous=true`)).toBe('');
    await node.api.object('DELETE', `${objectPath('pods', 'ill')}?gracePeriodSeconds=0`);
    expect((await node.api.call('GET', objectPath('pods', 'ill'))).code).toBe(404);
  });

  it('a changed pod is a new one, after the old one has ended', async () => {
    const changed = (greeting: string): PodManifest =>
      diary.pod('changed', { containers: [polite('main', { args: [greeting] })] });
    const [before] = await node.putPods(changed('one'));
    await says('changed', 'main begins');
    const [same] = await node.putPods(changed('one'));
    expect(same?.metadata.resourceVersion).toBe(before?.metadata.resourceVersion);
    const [after] = await node.putPods(changed('two'));
    expect(after?.metadata.uid).not.toBe(before?.metadata.uid);
    await node.kubelet.waitFor('the new one runs', async () => (await diary.words('changed')).length === 4);
    expect(await diary.words('changed')).toEqual(['main begins', 'main TERM', 'main ends', 'main begins']);
    await node.api.object('DELETE', `${objectPath('pods', 'changed')}?gracePeriodSeconds=2`);
  });

  it('of 100 objects that are being put, a kill -9 loses none that was answered, and what ran goes on', async () => {
    await node.until('job', 'has ended', ({ status }) => status?.phase === 'Succeeded');
    await gone('changed');
    await node.kubelet.waitFor('what was deleted by force has ended', async () => !('ill' in (await node.running())));
    const before = await node.running();
    const answered = new Map<string, string | undefined>();
    const puts = Array.from({ length: 100 }, async (_, index) => {
      const name = `put-${index}`;
      const [resource, object] = [
        ['pods', idle(name) as unknown as Pod] as const,
        ['configmaps', configMap(name, { index: `${index}` })] as const,
        ['secrets', secret(name, { index: `${index}` })] as const,
      ][index % 3] as readonly [string, Pod];
      const file = objectPath(resource, name);
      const { metadata } = await node.api.object<Pod>('PUT', file, object);
      answered.set(file, metadata.uid);
      if (answered.size === 50) node.kubelet.kubelet.child.kill('SIGKILL');
    });
    const outcomes = await Promise.allSettled(puts);
    expect(outcomes.some(({ status }) => status === 'rejected')).toBe(true);
    expect(answered.size).toBeGreaterThanOrEqual(50);
    await node.crash();
    const found = await Promise.all(
      [...answered.keys()].map(async (file) => [file, (await node.api.object<Pod>('GET', file)).metadata.uid] as const),
    );
    expect(new Map(found)).toEqual(answered);
    expect(await node.running()).toEqual(before);
    // A finished pod does not run again.
    expect((await node.pod('job')).status?.phase).toBe('Succeeded');
    expect(await diary.words('job')).toEqual(['main begins', 'main ends']);
  });

  describe('what cannot be accepted is refused, and changes nothing', () => {
    let before: Awaited<ReturnType<LocalNode['running']>>;
    let versions: readonly unknown[];
    const allVersions = (): Promise<readonly unknown[]> =>
      Promise.all(['pods', 'configmaps', 'secrets'].map(versionOf));
    beforeAll(async () => {
      // Leaves one pod of the local API, and none that the case before has put.
      await node.api.object('PUT', '/api/v1/pods', { items: [consumer] });
      await node.kubelet.waitFor('only one is left', async () => {
        const { items } = await node.api.object<{ items: readonly Pod[] }>('GET', '/api/v1/pods');
        return items.length === 2;
      });
      [before, versions] = [await node.running(), await allVersions()];
    });

    it.each<[string, string, string, unknown, number, string, RegExp]>([
      [
        'an unknown resource',
        ...(['PUT', '/api/v1/namespaces/default/services/web', {}, 404, 'NotFound'] as const),
        /the local API has configmaps, events, nodes, pods, secrets in \/api\/v1$/,
      ],
      [
        'an unknown kind',
        ...(['PUT', objectPath('pods', 'web'), { apiVersion: 'v1', kind: 'Service' }, 400] as const),
        'BadRequest',
        /kind: expected Pod, got "Service"/,
      ],
      [
        'an unknown field',
        ...(['PUT', objectPath('pods', 'web'), { ...podManifest('web'), colour: 'red' }, 400, 'BadRequest'] as const),
        /^colour: unknown field$/,
      ],
      [
        'an invalid pod',
        ...(['PUT', objectPath('pods', 'web'), podManifest('web', { containers: [] }), 422, 'Invalid'] as const),
        /^Pod "web" is invalid: spec\.containers: Required value$/,
      ],
      [
        'a list with an invalid pod',
        ...(['PUT', '/api/v1/pods', { items: [consumer, podManifest('Web!')] }, 422, 'Invalid'] as const),
        /^items\[1\] pods "Web!": Pod "Web!" is invalid: metadata\.name: Invalid value: "Web!"/,
      ],
      [
        'a token of a service account',
        'PUT',
        objectPath('pods', 'web'),
        podManifest('web', {
          volumes: [{ name: 'token', projected: { sources: [{ serviceAccountToken: { path: 'token' } }] } }],
        }),
        422,
        'Invalid',
        /spec\.volumes\[0\]\.projected\.sources\[0\]\.serviceAccountToken: Forbidden/,
      ],
      [
        'the name of a static pod',
        ...(['PUT', objectPath('pods', 'static-alone'), podManifest('static-alone'), 409, 'Conflict'] as const),
        /a pod of the source file has this name/,
      ],
      [
        'the deletion of a static pod',
        ...(['DELETE', objectPath('pods', 'static-alone'), undefined, 403, 'Forbidden'] as const),
        /the pod comes from the source file/,
      ],
      [
        'the name of a config map of the folder',
        ...(['PUT', objectPath('configmaps', 'kept'), configMap('kept', {}), 409, 'Conflict'] as const),
        /kept\.json/,
      ],
      [
        'a stale version',
        'PUT',
        objectPath('configmaps', 'words'),
        { ...configMap('words', {}), metadata: { name: 'words', resourceVersion: '1' } },
        409,
        'Conflict',
        /^Operation cannot be fulfilled on configmaps "words": the object has been modified; please apply your changes to the latest version and try again$/,
      ],
      [
        'a body of 10 MB',
        'PUT',
        objectPath('configmaps', 'large'),
        configMap('large', { text: 'x'.repeat(10_000_000) }),
        413,
        'RequestEntityTooLarge',
        /limit is 3145728/,
      ],
    ])('%s', async (_, method, where, body, code, reason, message) => {
      const answer = await node.api.call(method, where, body);
      expect(answer).toMatchObject({ code, body: { reason, message: expect.stringMatching(message) } });
    });

    it('a change by one of two clients that both read the same version', async () => {
      const file = objectPath('configmaps', 'words');
      const read = await node.api.object<ConfigMap>('GET', file);
      const writes = ['one', 'two'].map((writer) =>
        node.api.call<ConfigMap & ApiFailure>('PUT', file, { ...read, data: { greeting: writer } }),
      );
      const answers = await Promise.all(writes);
      expect(answers.map(({ code }) => code).sort()).toEqual([200, 409]);
      const won = answers.find(({ code }) => code === 200)?.body.data;
      expect((await node.api.object<ConfigMap>('GET', file)).data).toEqual(won);
      versions = await allVersions();
    });

    it('a put on a full disk, until there is room again', async () => {
      const filler = path.join(node.store, 'filler');
      const error: unknown = await writeFile(filler, Buffer.alloc(8 * 2 ** 20)).catch((thrown: unknown) => thrown);
      expect(error).toMatchObject({ code: 'ENOSPC' });
      const late = configMap('late', { text: 'x'.repeat(100_000) });
      const answer = await node.api.call('PUT', objectPath('configmaps', 'late'), late);
      expect(answer).toMatchObject({ code: 503, body: { message: expect.stringMatching(/no space left/i) } });
      expect((await node.api.call('GET', objectPath('configmaps', 'late'))).code).toBe(404);
      expect(await allVersions()).toEqual(versions);
      await rm(filler);
      await node.put('configmaps', late);
      versions = await allVersions();
    });

    it('a second program on the socket', async () => {
      const root = path.join(node.kubelet.dir, 'root');
      const socketOf = async () => (await lstat(path.join(root, 'pod-resources', 'kubelet.sock'))).ino;
      const podResources = await socketOf();
      const args = ['--socket', node.api.socketPath, '--root-dir', root, '--container-runtime-endpoint'];
      const config = ['--config', path.join(node.kubelet.dir, 'kubelet.json')];
      const second = spawn(process.execPath, [executable, ...args, bed().lab.endpoint, ...config]);
      let output = '';
      second.stderr.on('data', (chunk: Buffer) => (output += chunk.toString()));
      const [code] = (await once(second, 'close')) as [number | null];
      expect(code).toBe(1);
      expect(output).toMatch(
        `kubelet-standalone] "command failed" err="failed to run Kubelet: ${node.api.socketPath} is taken: another process serves it: stop that process, or choose another socket`,
      );
      expect(await socketOf()).toBe(podResources);
      expect(await node.api.text('/healthz')).toBe('ok');
    });

    it('while all that ran goes on', async () => {
      expect(await allVersions()).toEqual(versions);
      expect(await node.running()).toEqual(before);
      expect(Object.keys(before).sort()).toEqual(['consumer', 'static-alone']);
    });
  });

  it('SIGTERM ends the program, the socket goes, the pods stay, and the kubelet with the example takes over', async () => {
    const before = await node.running();
    expect((await node.kubelet.end('SIGTERM')).code).toBe(0);
    await waitFor(
      'the socket is gone',
      async () => (await lstat(node.api.socketPath).catch(() => undefined)) === undefined,
    );
    const assembly = [
      ...readAssemblyEntries(path.join(repositoryRoot, 'examples/local-pods/assembly.yaml')),
      { name: '@podwright/server', config: { localSocket: node.api.socketPath } },
      { name: '@podwright/local-objects', config: { objectsDir } },
    ];
    await bed().startNode('alone', { assembly });
    await node.untilUp();
    await node.put('configmaps', configMap('words', { greeting: 'welcome' }));
    await node.kubelet.waitFor(
      'the file of the running pod is new',
      async () => (await node.exec('consumer', 'cat', '/words/greeting')) === 'welcome',
    );
    expect(await node.running()).toEqual(before);
    await node.api.object('DELETE', '/api/v1/pods');
    await gone('consumer');
    expect(Object.keys(await node.running())).toEqual(['static-alone']);
  });
});
