import { mkdir, mkdtemp, readdir, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { KubeletError, rpcErrorText } from '@podwright/errors';
import { createMemoryLogger } from '@podwright/logging';
import { FakeRuntime } from '../fixtures/fake-runtime.js';
import { container, criStatus, podWith } from '../fixtures/records.js';
import { containerHash } from './container-hash.js';
import { ContainerRemover } from './container-remover.js';
import { containerAnnotations, containerLabels, hashOf, restartCountOf, sandboxLabels } from './labels.js';
import { containerLogLink, containerLogPath, podLogDirectory } from './log-paths.js';

describe('names and marks of records', () => {
  it.each([
    ['foo', 'bar', '11a6d6d6'],
    ['test_container', 'foo/image:v1', '8e45cbd0'],
  ])('hashes container %s of image %s as upstream does', (name, image, hash) => {
    expect(containerHash({ name, image })).toBe(hash);
  });

  it('labels sandboxes with the pod’s labels and its identity, which wins; containers with the identity alone', () => {
    const pod = podWith({}, { labels: { app: 'x', 'io.kubernetes.pod.uid': 'forged' } });
    const identity = {
      'io.kubernetes.pod.name': 'web',
      'io.kubernetes.pod.namespace': 'default',
      'io.kubernetes.pod.uid': 'uid-1',
    };
    expect(sandboxLabels(pod)).toEqual({ app: 'x', ...identity });
    expect(containerLabels(pod, container('app'))).toEqual({ ...identity, 'io.kubernetes.container.name': 'app' });
  });

  it('annotates containers with what another kubelet must know', () => {
    const app = container('app', {
      terminationMessagePath: '/t',
      terminationMessagePolicy: 'File',
      lifecycle: { preStop: { sleep: { seconds: 1 } } },
      ports: [{ containerPort: 80, protocol: 'TCP', name: 'http' }],
    });
    const pod = podWith({}, { deletionGracePeriodSeconds: 5 });
    expect(
      containerAnnotations(pod, app, 3, { device: 'x', 'io.kubernetes.container.restartCount': 'forged' }),
    ).toEqual({
      device: 'x',
      'io.kubernetes.container.hash': containerHash(app),
      'io.kubernetes.container.restartCount': '3',
      'io.kubernetes.container.terminationMessagePath': '/t',
      'io.kubernetes.container.terminationMessagePolicy': 'File',
      'io.kubernetes.pod.deletionGracePeriod': '5',
      'io.kubernetes.pod.terminationGracePeriod': '30',
      'io.kubernetes.container.preStopHandler': '{"sleep":{"seconds":1}}',
      'io.kubernetes.container.ports': '[{"name":"http","containerPort":80,"protocol":"TCP"}]',
    });
  });

  it('reads hash and restart count back, broken ones as 0', () => {
    expect(hashOf({ 'io.kubernetes.container.hash': '00AB' })).toBe('ab');
    expect([hashOf({}), hashOf({ 'io.kubernetes.container.hash': 'xyz' })]).toEqual(['0', '0']);
    expect([restartCountOf({}), restartCountOf({ 'io.kubernetes.container.restartCount': 'x' })]).toEqual([0, 0]);
  });

  it('names logs and their links', () => {
    expect(podLogDirectory('/var/log/pods', podWith())).toBe('/var/log/pods/default_web_uid-1');
    expect(containerLogPath('app', 2)).toBe('app/2.log');
    const names = { podName: 'web', namespace: 'default', containerName: 'app', containerId: 'f'.repeat(64) };
    expect(containerLogLink('/l', names)).toBe(`/l/web_default_app-${'f'.repeat(64)}.log`);
    const long = containerLogLink('/l', { ...names, podName: 'p'.repeat(253) });
    expect(long).toBe(`/l/${'p'.repeat(251)}.log`);
  });

  it('words a failed call as Go does', () => {
    const text = (code: 'cancelled' | 'deadline-exceeded'): string => rpcErrorText(new KubeletError('m', { code }));
    expect(text('deadline-exceeded')).toBe('rpc error: code = DeadlineExceeded desc = m');
    expect(text('cancelled')).toBe('rpc error: code = Canceled desc = m');
  });
});

describe('removal of a container', () => {
  let directory: string;
  let fake: FakeRuntime;
  let remover: ContainerRemover;
  const logger = createMemoryLogger();
  beforeEach(async () => {
    directory = await mkdtemp(join(tmpdir(), 'remover-'));
    fake = new FakeRuntime({ removeContainer: () => ({}) });
    remover = new ContainerRemover(
      fake.service,
      { podLogsDir: join(directory, 'pods'), containerLogsDir: directory },
      logger,
    );
  });
  afterEach(() => rm(directory, { recursive: true, force: true }));

  const labels = {
    'io.kubernetes.pod.name': 'web',
    'io.kubernetes.pod.namespace': 'default',
    'io.kubernetes.pod.uid': 'uid-1',
    'io.kubernetes.container.name': 'app',
  };
  async function logAt(path: string): Promise<void> {
    const logPath = join(directory, path);
    await mkdir(dirname(logPath), { recursive: true });
    for (const suffix of ['', '.20260101-000000', '.20260101-000000.gz']) await writeFile(logPath + suffix, '');
    await writeFile(join(dirname(logPath), '1.log'), '');
    await symlink(logPath, join(directory, 'web_default_app-id1.log'));
    fake.on('containerStatus', () => ({ status: criStatus('id1', { logPath, labels }), info: {} }));
  }

  it('takes the logs, rotated ones and the link with it, then the record', async () => {
    await logAt('pods/default_web_uid-1/app/0.log');
    await remover.remove('id1');
    expect(await readdir(join(directory, 'pods/default_web_uid-1/app'))).toEqual(['1.log']);
    expect(await readdir(directory)).toEqual(['pods']);
    expect(fake.calls).toEqual(['containerStatus id1', 'removeContainer id1']);
  });

  it('asks the runtime once when several remove the same record', async () => {
    await Promise.all([remover.remove('id1', true), remover.remove('id1', true)]);
    expect(fake.calls).toEqual(['removeContainer id1']);
    await remover.remove('id1', true);
    expect(fake.calls).toHaveLength(2);
  });

  it('keeps logs when told to', async () => {
    await remover.remove('id1', true);
    expect(fake.calls).toEqual(['removeContainer id1']);
  });

  it('leaves alone what a runtime names outside of the log directory', async () => {
    await logAt('elsewhere/0.log');
    await remover.remove('id1');
    expect(await readdir(join(directory, 'elsewhere'))).toHaveLength(4);
    expect(fake.calls.at(-1)).toBe('removeContainer id1');
  });

  it.each(['pods/default_other_uid-2/app/0.log', 'pods/default_web_uid-1/../default_other_uid-2/app/0.log'])(
    'leaves alone the log %s of another pod',
    async (path) => {
      await logAt('pods/default_other_uid-2/app/0.log');
      const logPath = `${directory}/${path}`;
      fake.on('containerStatus', () => ({ status: criStatus('id1', { logPath, labels }), info: {} }));
      await remover.remove('id1');
      expect(await readdir(join(directory, 'pods/default_other_uid-2/app'))).toHaveLength(4);
    },
  );

  it('follows no link that a pod has put in place of a folder of its logs', async () => {
    await logAt('elsewhere/0.log');
    await mkdir(join(directory, 'pods/default_web_uid-1'), { recursive: true });
    await symlink(join(directory, 'elsewhere'), join(directory, 'pods/default_web_uid-1/app'));
    const logPath = join(directory, 'pods/default_web_uid-1/app/0.log');
    fake.on('containerStatus', () => ({ status: criStatus('id1', { logPath, labels }), info: {} }));
    await remover.remove('id1');
    expect(await readdir(join(directory, 'elsewhere'))).toHaveLength(4);
    expect(fake.calls.at(-1)).toBe('removeContainer id1');
  });

  it('removes no file to which names of the runtime lead from the folder of the links', async () => {
    const kept = join(directory, 'kept.log');
    await writeFile(kept, '');
    fake.on('containerStatus', () => ({ status: criStatus('id1/../../kept', { labels }), info: {} }));
    await remover.remove('id1/../../kept');
    expect(await readdir(directory)).toEqual(['kept.log']);
    expect(fake.calls.at(-1)).toBe('removeContainer id1/../../kept');
  });

  it('is put off when the log cannot be found out', async () => {
    fake.on('containerStatus', () => Promise.reject(new KubeletError('down', { code: 'unavailable' })));
    await expect(remover.remove('id1')).rejects.toThrow('down');
    expect(fake.calls).toEqual(['containerStatus id1']);
  });
});
