import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, rename, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type { RuntimeContainerState } from '@podwright/container-runtime-interface';
import type { Container, ContainerStatus, PodSandbox } from '@podwright/cri-client-interface';
import { ContainerState, NamespaceMode, PodSandboxState } from '@podwright/cri-client-interface';
import { KubeletError } from '@podwright/errors';
import { VirtualClock } from '@podwright/time';
import { FakeRuntime } from '../fixtures/fake-runtime.js';
import { criStatus, sandbox } from '../fixtures/records.js';
import { toContainerStatus } from './container-status.js';
import { inspectPod } from './inspect-pod.js';
import { groupByPod, listPods } from './list-pods.js';
import { newestContainersFirst } from './newest-first.js';
import { PodLister } from './pod-lister.js';
import { podIps } from './pod-ips.js';

const identity = { uid: 'uid-1', name: 'web', namespace: 'default' };
const notFound = (): Promise<never> => Promise.reject(new KubeletError('gone', { code: 'not-found' }));

function listed(id: string, more: Partial<Container> = {}): Container {
  return {
    id,
    podSandboxId: 's1',
    metadata: { name: 'app', attempt: 0 },
    image: undefined,
    imageRef: 'ref',
    state: ContainerState.CONTAINER_RUNNING,
    createdAt: 1n,
    labels: {
      'io.kubernetes.pod.uid': 'uid-1',
      'io.kubernetes.pod.name': 'web',
      'io.kubernetes.pod.namespace': 'default',
      'io.kubernetes.container.name': 'app',
    },
    annotations: { 'io.kubernetes.container.hash': 'ab' },
    imageId: '',
    ...more,
  };
}

function listedSandbox(id: string, attempt: number, more: Partial<PodSandbox> = {}): PodSandbox {
  return {
    id,
    metadata: { ...identity, attempt },
    state: PodSandboxState.SANDBOX_READY,
    createdAt: 1n,
    labels: {},
    annotations: {},
    runtimeHandler: '',
    ...more,
  };
}

describe('the newest container of a name', () => {
  const container = (
    id: string,
    name: string,
    restartCount: number,
    createdAt: bigint,
    state: RuntimeContainerState = 'exited',
  ) => ({ id, name, restartCount, createdAt, state });

  it('is the one with the highest restart count, although the wall clock was set back before it was created', () => {
    const first = container('first', 'app', 0, 9n);
    const second = container('second', 'app', 1, 4n);
    const other = container('other', 'log', 0, 6n);
    expect(newestContainersFirst([first, other, second]).map(({ id }) => id)).toEqual(['second', 'other', 'first']);
  });

  it.each([
    ['running', 'created', 'first'],
    ['running', 'exited', 'second'],
    ['exited', 'created', 'second'],
  ] as const)('%s, and %s later: is the %s', (before, later, newest) => {
    const containers = [container('first', 'app', 0, 4n, before), container('second', 'app', 1, 9n, later)];
    expect(newestContainersFirst(containers)[0]?.id).toBe(newest);
  });
});

describe('pods from lists', () => {
  it('groups by pod in the order of the sandboxes, newest records first', () => {
    const other = { ...listed('x').labels, 'io.kubernetes.pod.uid': 'uid-2', 'io.kubernetes.pod.name': 'lost' };
    const pods = groupByPod(
      [listedSandbox('s0', 0), listedSandbox('none', 0, { metadata: undefined }), listedSandbox('s1', 1)],
      [
        listed('old'),
        listed('b', { createdAt: 5n }),
        listed('a', { createdAt: 5n }),
        listed('alone', { labels: other }),
      ],
    );
    expect(
      pods.map(({ uid, name, containers, sandboxes }) => [
        uid,
        name,
        containers.map(({ id }) => id),
        sandboxes.map(({ id }) => id),
      ]),
    ).toEqual([
      ['uid-1', 'web', ['a', 'b', 'old'], ['s1', 's0']],
      ['uid-2', 'lost', ['alone'], []],
    ]);
    expect(pods[0]?.containers[0]).toMatchObject({
      name: 'app',
      hash: 'ab',
      imageRef: 'ref',
      imageId: 'ref',
      state: 'running',
    });
  });

  it('asks the runtime for what it wants only', async () => {
    const fake = new FakeRuntime({ listPodSandbox: () => ({ items: [] }), listContainers: () => ({ containers: [] }) });
    await listPods(fake.service, { all: false, podUid: 'u' });
    const labelSelector = { 'io.kubernetes.pod.uid': 'u' };
    expect(fake.requests.map(({ request }) => request)).toEqual([
      { filter: { state: { state: PodSandboxState.SANDBOX_READY }, labelSelector } },
      { filter: { state: { state: ContainerState.CONTAINER_RUNNING }, labelSelector } },
    ]);
    await listPods(fake.service, { all: true });
    expect(fake.requestOf('listPodSandbox', 1)).toEqual({ filter: { labelSelector: {} } });
  });

  it('rejects in the words of the runtime call, as answers to clients repeat them', async () => {
    const fake = new FakeRuntime({
      listPodSandbox: () => {
        throw new KubeletError('away', { code: 'unavailable' });
      },
      listContainers: () => ({ containers: [] }),
    });
    await expect(listPods(fake.service, { all: true })).rejects.toMatchObject({
      message: 'rpc error: code = Unavailable desc = away',
      code: 'unavailable',
    });
  });
});

describe('the last full list', () => {
  it('answers while it is young enough, and only then', async () => {
    const clock = new VirtualClock();
    const exited = listed('c2', { state: ContainerState.CONTAINER_EXITED });
    const alone = listed('c3', {
      state: ContainerState.CONTAINER_EXITED,
      labels: { 'io.kubernetes.pod.uid': 'uid-2' },
    });
    const fake = new FakeRuntime({
      listPodSandbox: () => ({ items: [listedSandbox('s1', 0)] }),
      listContainers: () => ({ containers: [listed('c1'), exited, alone] }),
    });
    const lister = new PodLister(fake.service, clock);
    await lister.getPods({ all: true, podUid: 'uid-1', maxAgeMs: 2000 });
    expect(await lister.getPods({ all: true, maxAgeMs: 2000 })).toHaveLength(2);
    expect(fake.calls).toHaveLength(4);
    await clock.advance(2000);
    const young = await lister.getPods({ all: false, maxAgeMs: 2000 });
    expect(young.map(({ uid, containers, sandboxes }) => [uid, containers.length, sandboxes.length])).toEqual([
      ['uid-1', 1, 1],
    ]);
    expect(await lister.getPods({ all: true, podUid: 'uid-2', maxAgeMs: 2000 })).toHaveLength(1);
    expect(fake.calls).toHaveLength(4);
    await lister.getPods({ all: true });
    expect(fake.calls).toHaveLength(6);
    await clock.advance(2001);
    await lister.getPods({ all: false, maxAgeMs: 2000 });
    expect(fake.calls).toHaveLength(8);
  });
});

const partsOf = ({ service }: FakeRuntime): Parameters<typeof inspectPod>[0] => ({
  runtime: service,
  rootDir: '/nonexistent',
  podLogsDir: '/nonexistent',
});

describe('inspection of a pod', () => {
  const known = {
    ...identity,
    containers: groupByPod([], [listed('c1'), listed('c2')])[0]?.containers ?? [],
    sandboxes: [
      { id: 's1', ready: true, attempt: 1, createdAt: 1n },
      { id: 's0', ready: false, attempt: 0, createdAt: 1n },
    ],
  };

  it('needs no list for a pod just listed, leaves out what vanished, and sorts', async () => {
    const fake = new FakeRuntime({
      podSandboxStatus: ({ podSandboxId: id }: { podSandboxId: string }) => ({
        status: sandbox({ id, attempt: Number(id[1]) }),
      }),
      containerStatus: ({ containerId }: { containerId: string }) =>
        containerId === 'c1' ? notFound() : { status: criStatus(containerId) },
    });
    const status = await inspectPod(partsOf(fake), identity, known);
    expect(fake.calls).toEqual([
      'podSandboxStatus s1',
      'podSandboxStatus s0',
      'containerStatus c1',
      'containerStatus c2',
    ]);
    expect(status).toMatchObject({ ...identity, ips: ['10.0.0.7'] });
    expect([status.containers.map(({ id }) => id), status.sandboxes.map(({ id }) => id)]).toEqual([
      ['c2'],
      ['s1', 's0'],
    ]);
  });

  it('is empty for a pod that the runtime does not know', async () => {
    const fake = new FakeRuntime({ listPodSandbox: () => ({ items: [] }), listContainers: () => ({ containers: [] }) });
    expect(await inspectPod(partsOf(fake), identity)).toEqual({ ...identity, ips: [], containers: [], sandboxes: [] });
  });

  it('fails when a record cannot be read, and passes the signal on', async () => {
    const stop = new AbortController();
    const fake = new FakeRuntime({
      podSandboxStatus: () => ({ status: sandbox() }),
      containerStatus: () => Promise.reject(new KubeletError('down', { code: 'unavailable' })),
    });
    await expect(inspectPod(partsOf(fake), identity, known, stop.signal)).rejects.toThrow('down');
    stop.abort(new KubeletError('enough', { code: 'cancelled' }));
    await expect(inspectPod(partsOf(fake), identity, known, stop.signal)).rejects.toThrow('enough');
  });

  it.each<[string, Parameters<typeof sandbox>[0], readonly string[]]>([
    ['primary first', { network: { ip: '10.0.0.1', additionalIps: [{ ip: 'fd00::1' }] } }, ['10.0.0.1', 'fd00::1']],
    ['none when one is no IP', { network: { ip: '10.0.0.1', additionalIps: [{ ip: 'x' }] } }, []],
    ['leading zeros are fine', { network: { ip: '010.0.0.1', additionalIps: [] } }, ['010.0.0.1']],
    ['none unless ready', { state: PodSandboxState.SANDBOX_NOTREADY }, []],
    [
      'none on the host network',
      {
        linux: {
          namespaces: {
            options: { network: NamespaceMode.NODE, pid: 0, ipc: 0, targetId: '', usernsOptions: undefined },
          },
        },
      },
      [],
    ],
  ])('IPs: %s', (_, more, expected) => {
    expect(podIps(sandbox(more))).toEqual(expected);
  });
});

describe('status of a container', () => {
  let directory: string;
  beforeEach(async () => {
    directory = await mkdtemp(join(tmpdir(), 'inspect-'));
    await mkdir(join(directory, 'n_pod_uid', 'main'), { recursive: true });
    await mkdir(join(directory, 'pods', 'uid'), { recursive: true });
  });
  afterEach(() => rm(directory, { recursive: true, force: true }));

  function ended(more: Partial<ContainerStatus> = {}): ContainerStatus {
    return criStatus('c', {
      state: ContainerState.CONTAINER_EXITED,
      startedAt: 5n,
      finishedAt: 7n,
      exitCode: 3,
      reason: 'Error',
      annotations: {
        'io.kubernetes.container.restartCount': '4',
        'io.kubernetes.container.terminationMessagePath': '/x/../t',
        'io.kubernetes.container.terminationMessagePolicy': 'FallbackToLogsOnError',
      },
      mounts: [
        {
          containerPath: '/t',
          hostPath: messageFile(),
          readonly: false,
          selinuxRelabel: false,
          propagation: 0,
          uidMappings: [],
          gidMappings: [],
          recursiveReadOnly: false,
          image: undefined,
          imageSubPath: '',
        },
      ],
      logPath: logFile(),
      ...more,
    });
  }
  const folders = (): Parameters<typeof toContainerStatus>[2] => ({
    podsDir: join(directory, 'pods'),
    podLogsDir: directory,
    pod: { namespace: 'n', name: 'pod', uid: 'uid' },
  });
  const logFile = (): string => join(directory, 'n_pod_uid', 'main', '0.log');
  const messageFile = (): string => join(directory, 'pods', 'uid', 't');
  const messageOf = async (more: Partial<ContainerStatus> = {}): Promise<string> =>
    (await toContainerStatus(ended(more), 's1', folders())).message;
  const time = '2026-01-01T00:00:00.000000001Z';

  it('has end and reason only once it has ended', async () => {
    expect(await toContainerStatus(ended(), 's1', folders())).toMatchObject({
      restartCount: 4,
      startedAt: 5n,
      finishedAt: 7n,
      exitCode: 3,
      reason: 'Error',
      podSandboxId: 's1',
    });
    expect(await toContainerStatus(ended({ state: ContainerState.CONTAINER_RUNNING }), 's1', folders())).toMatchObject({
      startedAt: 5n,
      finishedAt: 0n,
      exitCode: 0,
      reason: '',
      message: '',
    });
    expect(await toContainerStatus(ended({ state: ContainerState.CONTAINER_CREATED }), 's1', folders())).toMatchObject({
      state: 'created',
      startedAt: 0n,
    });
  });

  it('joins the runtime’s message with the last 4096 bytes of the container’s', async () => {
    await writeFile(messageFile(), `${'x'.repeat(5000)}end`);
    const message = await messageOf({ message: 'runtime' });
    expect(message.startsWith('runtime: xxx')).toBe(true);
    expect(message).toHaveLength('runtime: '.length + 4096);
    expect(message.endsWith('xend')).toBe(true);
  });

  it('falls back to the logs after an error without a message', async () => {
    await writeFile(messageFile(), '');
    const lines = [`${time} stdout F one`, `${time} stderr P tw`, 'broken', `${time} stderr F:x o`];
    await writeFile(logFile(), `${lines.join('\n')}\n`);
    expect(await messageOf()).toBe('one\ntwo\n');
    expect(await messageOf({ exitCode: 0 })).toBe('');
    expect(await messageOf({ reason: 'ContainerCannotRun' })).toBe('');
    expect(await messageOf({ annotations: { 'io.kubernetes.container.terminationMessagePath': '/t' } })).toBe('');
    await rm(messageFile());
    expect(await messageOf()).toBe('one\ntwo\n');
  });

  it('takes the last 80 lines, of these the last 2048 bytes', async () => {
    const log = (count: number, text: string): string =>
      Array.from({ length: count }, (_, index) => `${time} stdout F ${index}${text}\n`).join('');
    await writeFile(logFile(), log(100, ''));
    expect((await messageOf()).split('\n').slice(0, 2)).toEqual(['20', '21']);
    await writeFile(logFile(), log(4000, 'ä'.repeat(100)));
    const message = await messageOf();
    expect(Buffer.byteLength(message)).toBeGreaterThan(2040);
    expect(Buffer.byteLength(message)).toBeLessThanOrEqual(2054);
    expect(message.endsWith(`3999${'ä'.repeat(100)}\n`)).toBe(true);
  });

  it('reads the log of Docker as well, and says when there is none', async () => {
    await writeFile(logFile(), `${JSON.stringify({ log: 'hü\n', stream: 'stdout', time })}\nbroken\n`);
    expect(await messageOf()).toBe('hü\n');
    await rm(logFile());
    const log = logFile();
    expect(await messageOf()).toBe(
      `Error on reading termination message from logs: failed to try resolving symlinks in path "${log}": lstat ${log}: no such file or directory`,
    );
  });

  it('neither follows a link nor waits for a pipe that a container left in place of the file', async () => {
    await writeFile(join(directory, 'secret'), 'secret');
    await symlink(join(directory, 'secret'), messageFile());
    expect(await messageOf()).toMatch(/^Error on reading termination log .*ELOOP/);
    await rm(messageFile());
    await promisify(execFile)('mkfifo', [messageFile()]);
    expect(await messageOf()).toMatch(/is not a regular file$/);
  });

  it('shows no file that the runtime names outside of the folders of the pod', async () => {
    await mkdir(join(directory, 'n_other_uid2', 'main'), { recursive: true });
    const [file, log] = [join(directory, 'secret'), join(directory, 'n_other_uid2', 'main', '0.log')];
    await writeFile(file, 'secret');
    await writeFile(log, `${time} stdout F secret\n`);
    const [mount] = ended().mounts;
    for (const hostPath of [file, `${directory}/pods/uid/../../secret`]) {
      const message = `Error on reading termination log ${hostPath}: it is not in the pod's folder`;
      expect(await messageOf({ mounts: mount === undefined ? [] : [{ ...mount, hostPath }] })).toBe(message);
    }
    const message = "Error on reading termination message from logs: it is not in the pod's folder";
    expect(await messageOf({ logPath: log })).toBe(message);
  });

  it('shows a message when the runtime has resolved a link in the path of the kubelet’s folder', async () => {
    await writeFile(messageFile(), 'last words');
    await symlink(join(directory, 'pods'), join(directory, 'linked'));
    const linked = { ...folders(), podsDir: join(directory, 'linked') };
    expect((await toContainerStatus(ended(), 's1', linked)).message).toBe('last words');
  });

  it('follows no link that a container left in the place of its log directory', async () => {
    await writeFile(messageFile(), '');
    await writeFile(logFile(), `${time} stdout F secret\n`);
    const [container, pod] = [join(directory, 'n_pod_uid', 'main'), join(directory, 'n_pod_uid')];
    for (const folder of [container, pod]) {
      await rename(folder, join(directory, 'elsewhere'));
      await symlink(join(directory, 'elsewhere'), folder);
      const message = `failed to open log file "${logFile()}": links are not followed`;
      expect(await messageOf()).toBe(`Error on reading termination message from logs: ${message}`);
      await rm(folder);
      await rename(join(directory, 'elsewhere'), folder);
    }
    expect(await messageOf()).toBe('secret\n');
  });
});
