import { afterEach, describe, expect, it } from '@jest/globals';
import type { RuntimeContainer, RuntimePod } from '@podwright/container-runtime-interface';
import { KubeletError } from '@podwright/errors';
import type { Container, Pod } from '@podwright/kube-types';
import { createRuntimeHarness, type RuntimeHarness } from '../fixtures/runtime-harness.js';
import { container, podWith, record, sidecar } from '../fixtures/records.js';

const preStop: Partial<Container> = { lifecycle: { preStop: { exec: { command: ['x'] } } } };
const runningPod = (...containers: RuntimeContainer[]): RuntimePod => ({
  uid: 'uid-1',
  name: 'web',
  namespace: 'default',
  containers,
  sandboxes: [
    { id: 's1', ready: true, attempt: 1, createdAt: 2n },
    { id: 's0', ready: false, attempt: 0, createdAt: 1n },
  ],
});

describe('killPod', () => {
  let harness: RuntimeHarness;
  afterEach(() => harness.remove());

  /** `hookSeconds`: how long preStop takes; Infinity = never ends. */
  async function setUp(hookSeconds = 0): Promise<void> {
    harness = await createRuntimeHarness({
      deps: { hooks: { run: (_, __, ___, ____, signal) => harness.clock.sleep(hookSeconds * 1000, signal) } },
    });
  }
  const stops = (): string[] => harness.fake.calls.filter((call) => call.startsWith('stopContainer'));

  async function graceOf(pod: Pod, gracePeriodSeconds?: number): Promise<string | undefined> {
    const killed = harness.runtime.killPod({
      pod,
      runningPod: runningPod(record('app', 'running')),
      ...(gracePeriodSeconds === undefined ? {} : { gracePeriodSeconds }),
    });
    await harness.clock.advance(120_000);
    await killed;
    return stops().at(-1);
  }

  it.each<[string, Pod, number | undefined, number, string]>([
    ['the pod’s own', podWith(), undefined, 0, '30s'],
    ['that of the deletion before', podWith({}, { deletionGracePeriodSeconds: 7 }), undefined, 0, '7s'],
    ['2 s without any', podWith({ terminationGracePeriodSeconds: undefined } as never), undefined, 0, '2s'],
    ['the override before all', podWith({}, { deletionGracePeriodSeconds: 7 }), 12, 0, '12s'],
    ['never less than 2 s, with the override 0', podWith(), 0, 0, '2s'],
    ['never less than 2 s, with the override 1', podWith(), 1, 0, '2s'],
    [
      'less the whole seconds of the hook',
      podWith({ containers: [container('app', preStop)] }),
      undefined,
      12.9,
      '18s',
    ],
    ['2 s after a hook that used all up', podWith({ containers: [container('app', preStop)] }), 10, 15, '2s'],
    ['2 s after a hook that hangs', podWith({ containers: [container('app', preStop)] }), undefined, Infinity, '2s'],
  ])('gives %s', async (_, pod, override, hookSeconds, expected) => {
    await setUp(hookSeconds);
    expect(await graceOf(pod, override)).toBe(`stopContainer app-id ${expected}`);
    expect(harness.events).toEqual(['Normal Killing spec.containers{app}: Stopping container app']);
    expect(harness.clock.pendingTimers).toBe(0);
  });

  it('runs no hook without grace', async () => {
    await setUp(5);
    await harness.runtime.killPod({
      pod: podWith({ containers: [container('app', preStop)] }),
      runningPod: runningPod(record('app', 'running')),
      gracePeriodSeconds: 0,
    });
    expect(stops()).toEqual(['stopContainer app-id 2s']);
  });

  it('tells of the kill before the hook runs', async () => {
    const told: number[] = [];
    harness = await createRuntimeHarness({
      deps: { hooks: { run: async () => void told.push(harness.events.length) } },
    });
    const pod = podWith({ containers: [container('app', preStop)] });
    await harness.runtime.killPod({ pod, runningPod: runningPod(record('app', 'running')), message: 'because' });
    expect(told).toEqual([1]);
    expect(harness.events).toEqual(['Normal Killing spec.containers{app}: because']);
  });

  it('stops all at once when there is no grace, sidecars too', async () => {
    await setUp();
    harness.fake.on('stopContainer', () => new Promise(() => undefined));
    void harness.runtime.killPod({
      pod: podWith({ initContainers: [sidecar('s')] }),
      runningPod: runningPod(record('app', 'running'), record('s', 'running')),
      gracePeriodSeconds: 0,
    });
    await harness.clock.advance(1);
    expect(stops()).toEqual(['stopContainer app-id 2s', 'stopContainer s-id 2s']);
  });

  it('goes on after a failed hook, with an event that keeps the error to itself', async () => {
    harness = await createRuntimeHarness({ deps: { hooks: { run: () => Promise.reject(new Error('secret')) } } });
    await harness.runtime.killPod({
      pod: podWith({ containers: [container('app', preStop)] }),
      runningPod: runningPod(record('app', 'running')),
    });
    expect(harness.events.at(-1)).toBe('Warning FailedPreStopHook spec.containers{app}: PreStopHook failed');
    expect(stops()).toEqual(['stopContainer app-id 30s']);
  });

  it('stops sidecars after the regular containers, the later one first, in what is left of the grace', async () => {
    await setUp();
    harness.fake.on('stopContainer', ({ containerId }: { containerId: string }) =>
      harness.clock.sleep(containerId === 'app-id' ? 3500 : 1000),
    );
    const pod = podWith({ initContainers: [sidecar('s1'), container('plain'), sidecar('s2')] });
    const killed = harness.runtime.killPod({
      pod,
      runningPod: runningPod(
        record('s1', 'running'),
        record('s2', 'running'),
        record('app', 'running'),
        record('plain', 'running'),
      ),
    });
    await harness.clock.advance(3400);
    expect(stops()).toEqual(['stopContainer app-id 30s', 'stopContainer plain-id 30s']);
    await harness.clock.advance(200);
    expect(stops()[2]).toBe('stopContainer s2-id 27s');
    await harness.clock.advance(1000);
    expect(stops()[3]).toBe('stopContainer s1-id 26s');
    await harness.clock.advance(1000);
    expect((await killed).results.map(({ target }) => target)).toEqual(['s1', 's2', 'app', 'plain', 'uid-1']);
  });

  it('lets a sidecar wait no longer than its grace, also when a container cannot be stopped', async () => {
    await setUp();
    harness.fake.on('stopContainer', ({ containerId }: { containerId: string }) =>
      containerId === 'app-id' ? Promise.reject(new KubeletError('stuck', { code: 'unknown' })) : {},
    );
    const killed = harness.runtime.killPod({
      pod: podWith({ initContainers: [sidecar('s')] }),
      runningPod: runningPod(record('app', 'running'), record('s', 'running')),
      gracePeriodSeconds: 10,
    });
    await harness.clock.advance(9_999);
    expect(stops()).toEqual(['stopContainer app-id 10s']);
    await harness.clock.advance(1);
    const { results } = await killed;
    expect(results[0]?.error).toMatchObject({
      reason: 'KillContainerError',
      message: 'rpc error: code = Unknown desc = stuck',
    });
    expect(stops()[1]).toBe('stopContainer s-id 2s');
  });

  it('leaves created and unknown containers to the sandboxes, takes what is gone for stopped, stops all sandboxes', async () => {
    await setUp();
    const gone = (): Promise<never> => Promise.reject(new KubeletError('gone', { code: 'not-found' }));
    harness.fake.on('stopContainer', gone);
    harness.fake.on('stopPodSandbox', gone);
    const pod = podWith({ containers: [container('app'), container('b'), container('c')] });
    const { results } = await harness.runtime.killPod({
      pod,
      runningPod: runningPod(record('app', 'running'), record('b', 'created'), record('c', 'unknown')),
    });
    expect(results).toEqual([
      { action: 'KillContainer', target: 'app' },
      { action: 'KillPodSandbox', target: 'uid-1' },
    ]);
    expect(harness.fake.calls).toEqual(['stopContainer app-id 30s', 'stopPodSandbox s1', 'stopPodSandbox s0']);
  });

  it('does not stop a container that the pod does not have, but stops the sandboxes', async () => {
    await setUp();
    const { results } = await harness.runtime.killPod({
      pod: podWith(),
      runningPod: runningPod(record('alien', 'running')),
    });
    expect(results[0]?.error?.message).toContain(
      'failed to get containerSpec "alien" (id="alien-id") in pod "web_default(uid-1)"',
    );
    expect(harness.fake.calls).toEqual(['stopPodSandbox s1', 'stopPodSandbox s0']);
  });

  it('kills a pod that only the runtime knows', async () => {
    await setUp();
    await harness.runtime.killPod({ runningPod: runningPod(record('app', 'running')), gracePeriodSeconds: 1 });
    expect(harness.fake.calls[0]).toBe('stopContainer app-id 2s');
    expect(harness.events).toEqual(['Normal Killing spec.containers{app}: Stopping container app']);
  });
});
