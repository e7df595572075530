import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { beforeEach, describe, expect, it } from '@jest/globals';
import { ContainerState, NamespaceMode, PodSandboxState } from '@podwright/cri-client-interface';
import type { ContainerConfig, DeepPartial } from '@podwright/cri-client-interface';
import { KubeletError } from '@podwright/errors';
import { VirtualClock } from '@podwright/time';
import type { SimulatedImage } from './image-store.js';
import { createSimulatedRuntime, type SimulatedRuntime } from './simulated-runtime.js';

let clock: VirtualClock;
let runtime: SimulatedRuntime;

beforeEach(() => {
  clock = new VirtualClock();
  runtime = createSimulatedRuntime({ clock });
  runtime.store.load('app:1');
});

async function runPod(uid = 'uid-1', hostNetwork = false): Promise<string> {
  const namespaceOptions = hostNetwork ? { network: NamespaceMode.NODE } : {};
  const config = {
    metadata: { name: 'pod', namespace: 'ns', uid },
    logDirectory: `/logs/${uid}`,
    linux: { securityContext: { namespaceOptions } },
  };
  return (await runtime.runPodSandbox({ config })).podSandboxId;
}

async function startContainer(podSandboxId: string, config: DeepPartial<ContainerConfig> = {}): Promise<string> {
  const { containerId } = await runtime.createContainer({
    podSandboxId,
    config: { metadata: { name: 'main' }, image: { image: 'app:1' }, ...config },
  });
  await runtime.startContainer({ containerId });
  return containerId;
}

const statusOf = async (containerId: string) => (await runtime.containerStatus({ containerId })).status;
const codeOf = async (promise: Promise<unknown>): Promise<string> => {
  const error: unknown = await promise.then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  return error instanceof KubeletError ? error.code : String(error);
};

describe('programs of the simulated runtime', () => {
  it('end at their time on the virtual clock, to the nanosecond', async () => {
    runtime.programs.set('main', { exitAfterMs: 1500, exitCode: 2 });
    const id = await startContainer(await runPod());
    await clock.advance(1499);
    expect((await statusOf(id))?.state).toBe(ContainerState.CONTAINER_RUNNING);
    await clock.advance(1);
    const status = await statusOf(id);
    expect(status).toMatchObject({ state: ContainerState.CONTAINER_EXITED, exitCode: 2, reason: 'Error' });
    expect(status?.finishedAt).toBe(BigInt(clock.now()) * 1_000_000n);
  });

  it('never run when their sandbox ends before they start, and have ended then', async () => {
    runtime.programs.set('main', { startMs: 700 });
    const podSandboxId = await runPod();
    const started = codeOf(startContainer(podSandboxId));
    await clock.advance(0);
    const { id } = runtime.control.container('uid-1', 'main')!;
    expect(await codeOf(runtime.startContainer({ containerId: id }))).toBe('unknown');
    expect(await codeOf(runtime.removeContainer({ containerId: id }))).toBe('unknown');
    runtime.control.killSandbox(podSandboxId);
    await clock.advance(700);
    expect(await started).toBe('unknown');
    expect(await statusOf(id)).toMatchObject({ exitCode: 128, reason: 'StartError', startedAt: 0n });
  });

  it('may take their time to start', async () => {
    runtime.programs.set('main', { startMs: 700 });
    let started = '';
    void startContainer(await runPod()).then((id) => (started = id));
    await clock.advance(699);
    expect(started).toBe('');
    await clock.advance(1);
    expect(runtime.control.findContainer(started)?.running).toBe(true);
  });

  it('are chosen by name before image, and by attempt', async () => {
    runtime.programs.set('app:1', { exitAfterMs: 1, exitCode: 1 });
    runtime.programs.set('main', ({ attempt }) => (attempt === 0 ? { startError: 'no such file' } : {}));
    const pod = await runPod();
    expect(await codeOf(startContainer(pod))).toBe('unknown');
    const [failed] = runtime.control.containers('uid-1');
    expect(await statusOf(failed?.id ?? '')).toMatchObject({
      exitCode: 128,
      reason: 'StartError',
      message: 'no such file',
    });
    const second = await startContainer(pod, { metadata: { name: 'main', attempt: 1 } });
    const other = await startContainer(pod, { metadata: { name: 'other' } });
    await clock.advance(10);
    expect([(await statusOf(second))?.exitCode, (await statusOf(other))?.exitCode]).toEqual([0, 1]);
  });

  it('take their time to stop, and are killed when it is too long', async () => {
    runtime.programs.set('main', { onStop: { afterMs: 3000, exitCode: 5 } });
    const pod = await runPod();
    const slow = await startContainer(pod);
    const stopping = runtime.stopContainer({ containerId: slow, timeout: 30n });
    expect(await clock.runUntil(async () => (await statusOf(slow))?.exitCode === 5, 60_000)).toBe(3000);
    await stopping;
    const slower = await startContainer(pod, { metadata: { name: 'main', attempt: 1 } });
    const killing = runtime.stopContainer({ containerId: slower, timeout: 2n });
    await clock.advance(2000);
    await killing;
    expect((await statusOf(slower))?.exitCode).toBe(137);
    expect(clock.pendingTimers).toBe(0);
  });

  it('take commands along when they end', async () => {
    runtime.programs.set('main', { exitAfterMs: 100, exec: () => ({ takesMs: Infinity }) });
    const id = await startContainer(await runPod());
    const command = runtime.execSync({ containerId: id, cmd: ['sleep'] });
    await clock.advance(100);
    expect((await command).exitCode).toBe(137);
    expect(clock.pendingTimers).toBe(0);
  });

  it('leave logs and termination messages when asked to', async () => {
    const dir = await mkdtemp(path.join(tmpdir(), 'simulated-'));
    try {
      runtime = createSimulatedRuntime({ clock, writesLogFiles: true });
      runtime.store.load('app:1');
      runtime.programs.set('main', { exitAfterMs: 5, output: ['one', 'two'], terminationMessage: 'bye' });
      await writeFile(path.join(dir, 'message'), '');
      const config = { metadata: { name: 'p', namespace: 'n', uid: 'u' }, logDirectory: path.join(dir, 'pod') };
      const { podSandboxId } = await runtime.runPodSandbox({ config });
      await startContainer(podSandboxId, {
        logPath: 'main/0.log',
        annotations: { 'io.kubernetes.container.terminationMessagePath': '/dev/termination-log' },
        mounts: [{ containerPath: '/dev/termination-log', hostPath: path.join(dir, 'message') }],
      });
      await clock.advance(5);
      const stamp = '2026-01-01T00:00:00.000Z';
      expect(await readFile(path.join(dir, 'pod/main/0.log'), 'utf8')).toBe(
        `${stamp} stdout F one\n${stamp} stdout F two\n`,
      );
      expect(await readFile(path.join(dir, 'message'), 'utf8')).toBe('bye');
    } finally {
      await rm(dir, { recursive: true });
    }
  });
});

describe('faults of the simulated runtime', () => {
  it('delay, fail and hang the calls they are aimed at, and no others', async () => {
    const one = await runPod('uid-1');
    const two = await runPod('uid-2');
    runtime.faults.delay({ rpc: 'podSandboxStatus', subject: 'uid-2' }, 250);
    runtime.faults.fail({ rpc: 'listPodSandbox' }, { code: 'internal', message: 'boom', times: 2 });
    await runtime.podSandboxStatus({ podSandboxId: one });
    const slow = runtime.podSandboxStatus({ podSandboxId: two });
    expect(runtime.calls.inFlight('podSandboxStatus')).toBe(1);
    await clock.advance(250);
    expect((await slow).status?.id).toBe(two);
    expect([await codeOf(runtime.listPodSandbox({})), await codeOf(runtime.listPodSandbox({}))]).toEqual([
      'internal',
      'internal',
    ]);
    expect((await runtime.listPodSandbox({})).items).toHaveLength(2);
  });

  it('hang until the deadline, the caller, or the release', async () => {
    const pod = await runPod();
    const id = await startContainer(pod);
    const release = runtime.faults.hang({ subject: pod });
    const late = codeOf(runtime.podSandboxStatus({ podSandboxId: pod }));
    const controller = new AbortController();
    const aborted = codeOf(runtime.stopContainer({ containerId: id, timeout: 1n }, { signal: controller.signal }));
    const patient = runtime.removePodSandbox({ podSandboxId: pod }, { timeoutMs: 0 });
    await runtime.listPodSandbox({});
    controller.abort(new KubeletError('no longer needed', { code: 'aborted' }));
    expect(await aborted).toBe('aborted');
    await clock.advance(120_000);
    expect(await late).toBe('deadline-exceeded');
    expect((await statusOfUnhung(id))?.state).toBe(ContainerState.CONTAINER_RUNNING);
    release();
    await patient;
    expect(runtime.control.sandboxes).toEqual([]);
    expect(clock.pendingTimers).toBe(0);
  });

  // The hang covers the whole pod, so this looks past the CRI.
  const statusOfUnhung = async (id: string) =>
    runtime.control
      .containers()
      .find((container) => container.id === id)
      ?.status();

  it('count what was asked, and how much at once', async () => {
    runtime.faults.delay({ rpc: 'runPodSandbox' }, 100);
    const pods = ['a', 'b', 'c'].map((uid) => runPod(uid));
    await clock.advance(100);
    await Promise.all(pods);
    await codeOf(runtime.podSandboxStatus({ podSandboxId: 'missing' }));
    expect(runtime.calls.count('runPodSandbox')).toBe(3);
    expect([runtime.calls.maxConcurrency('runPodSandbox'), runtime.calls.maxConcurrency()]).toEqual([3, 3]);
    expect(runtime.calls.all.map(({ rpc, outcome }) => `${rpc} ${outcome}`)).toEqual([
      ...Array<string>(3).fill('runPodSandbox ok'),
      'podSandboxStatus failed',
    ]);
    runtime.calls.clear();
    expect(runtime.calls.count('runPodSandbox')).toBe(0);
  });
});

describe('the outside of the simulated runtime', () => {
  it('needs its network for pods that are not in the host network', async () => {
    runtime.control.setNetworkReady(false);
    expect(await codeOf(runPod())).toBe('unknown');
    expect((await runtime.status({})).status?.conditions[1]).toMatchObject({ type: 'NetworkReady', status: false });
    const host = await runPod('host', true);
    expect((await runtime.podSandboxStatus({ podSandboxId: host })).status?.network?.ip).toBe('');
    runtime.control.setNetworkReady(true);
    await runPod();
  });

  it('gives addresses once, and again after the stop', async () => {
    runtime = createSimulatedRuntime({ clock, podCidr: '10.1.2.0/29' });
    const ipOf = async (id: string) => (await runtime.podSandboxStatus({ podSandboxId: id })).status?.network?.ip;
    const ids = await Promise.all(['a', 'b', 'c', 'd', 'e'].map((uid) => runPod(uid)));
    expect(await Promise.all(ids.map(ipOf))).toEqual(['10.1.2.2', '10.1.2.3', '10.1.2.4', '10.1.2.5', '10.1.2.6']);
    expect(await codeOf(runPod('f'))).toBe('unknown');
    await runtime.stopPodSandbox({ podSandboxId: ids[2] ?? '' });
    expect(await ipOf(await runPod('f'))).toBe('10.1.2.4');
  });

  it('pulls for as long and as badly as told', async () => {
    runtime.store.publish('slow:1', {
      pullMs: 2000,
      sizeBytes: 7,
      pullErrors: [{ message: 'toomanyrequests' }],
      user: 'app',
    });
    const pull = async (): Promise<string> => {
      const outcome = codeOf(runtime.pullImage({ image: { image: 'slow:1' } }));
      await clock.advance(2000);
      return outcome;
    };
    expect(await pull()).toBe('unknown');
    expect(runtime.store.find('slow:1')).toBeUndefined();
    expect(await pull()).toBe('undefined');
    expect((await runtime.imageStatus({ image: { image: 'slow:1' } })).image).toMatchObject({
      size: 7n,
      username: 'app',
    });
    runtime.store.publish('private:1', { credentials: { username: 'u', password: 'p' } });
    expect(await codeOf(runtime.pullImage({ image: { image: 'private:1' } }))).toBe('unknown');
    await runtime.pullImage({ image: { image: 'private:1' }, auth: { username: 'u', password: 'p' } });
  });

  it('loses records, processes and sandboxes without being asked', async () => {
    const pod = await runPod();
    const a = await startContainer(pod, { metadata: { name: 'a' } });
    const b = await startContainer(pod, { metadata: { name: 'b' } });
    runtime.control.exitContainer(a, 137, 'OOMKilled');
    expect(await statusOf(a)).toMatchObject({ exitCode: 137, reason: 'OOMKilled' });
    runtime.control.loseContainer(b);
    expect(await codeOf(statusOf(b))).toBe('not-found');
    runtime.control.killSandbox(pod);
    expect((await runtime.podSandboxStatus({ podSandboxId: pod })).status?.state).toBe(
      PodSandboxState.SANDBOX_NOTREADY,
    );
    runtime.control.loseEverything();
    expect([(await runtime.listContainers({})).containers, (await runtime.listPodSandbox({})).items]).toEqual([[], []]);
  });

  it('gives answers that the caller may change', async () => {
    const pod = await runPod();
    const first = (await runtime.listPodSandbox({})).items[0];
    if (first?.metadata) first.metadata.name = 'changed';
    expect((await runtime.podSandboxStatus({ podSandboxId: pod })).status?.metadata?.name).toBe('pod');
  });

  it('repeats itself: the same calls give the same ids', async () => {
    const other = createSimulatedRuntime({ clock: new VirtualClock() });
    const config = { metadata: { name: 'pod', namespace: 'ns', uid: 'uid-1' } };
    expect((await other.runPodSandbox({ config })).podSandboxId).toBe(await runPod());
  });

  it('shows containers in the status of the sandbox when evented PLEG is tried', async () => {
    runtime = createSimulatedRuntime({ clock, containersInSandboxStatus: true });
    runtime.store.load('app:1');
    const pod = await runPod();
    const id = await startContainer(pod);
    const answer = await runtime.podSandboxStatus({ podSandboxId: pod });
    expect(answer.containersStatuses.map((status) => status.id)).toEqual([id]);
    expect(answer.timestamp).toBeGreaterThan(0n);
  });
});

it('asks once what an image is that nobody has published', async () => {
  const asked: string[] = [];
  const of = (reference: string): SimulatedImage => {
    asked.push(reference);
    return { pullMs: 100, pullErrors: [{ message: 'not yet' }] };
  };
  const own = createSimulatedRuntime({ clock, unpublished: of });
  const pull = async (): Promise<unknown> => {
    const pulled = own.pullImage({ image: { image: 'web:1' } }).catch((error: unknown) => String(error));
    await clock.advance(100);
    return pulled;
  };
  expect(await pull()).toContain('not yet');
  expect(await pull()).toMatchObject({ imageRef: expect.stringContaining('sha256:') });
  expect(asked).toEqual(['web:1']);
});
