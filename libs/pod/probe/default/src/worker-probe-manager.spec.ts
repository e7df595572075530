import { describe, expect, it } from '@jest/globals';
import type { Container, ContainerState, ContainerStatus, Pod, PodStatus, Probe } from '@podwright/kube-types';
import type { ProbeKind, ProbeOutcome } from '@podwright/probe-interface';
import { describeProbeManagerContract } from '@podwright/probe-interface/contract';
import { createProbeHarness, type ProbeHarness, type ProbeHarnessOptions } from './fixtures/probe-harness.js';

describeProbeManagerContract('WorkerProbeManager', async () => createProbeHarness());

const probe = (kind: string, more: Partial<Probe> = {}): Probe => ({
  exec: { command: [kind] },
  periodSeconds: 10,
  timeoutSeconds: 1,
  failureThreshold: 1,
  successThreshold: 1,
  ...more,
});
const field = { liveness: 'livenessProbe', readiness: 'readinessProbe', startup: 'startupProbe' } as const;
const podWith = (containers: readonly Container[], more: Partial<Pod['spec']> = {}, meta = {}): Pod => ({
  metadata: { name: 'web', namespace: 'default', uid: 'u1', ...meta },
  spec: { containers: [...containers], ...more },
});
const podFor = (kind: ProbeKind, more: Partial<Probe> = {}, spec: Partial<Pod['spec']> = {}, meta = {}): Pod =>
  podWith([{ name: 'app', [field[kind]]: probe(kind, more) }], spec, meta);
const statusOf = (more: Partial<ContainerStatus> = {}, pod: Partial<PodStatus> = {}): PodStatus => ({
  phase: 'Running',
  podIP: '192.0.2.1',
  containerStatuses: [
    {
      name: 'app',
      state: { running: {} },
      containerID: 'containerd://c1',
      started: true,
      ready: false,
      restartCount: 0,
      image: 'i',
      imageID: '',
      ...more,
    },
  ],
  ...pod,
});
const waiting: ContainerState = { waiting: {} };
const ended = (exitCode: number): ContainerState => ({ terminated: { exitCode } });

/** A manager that is older than any period, so that workers begin at once. */
async function running(options: ProbeHarnessOptions = {}): Promise<ProbeHarness> {
  const harness = createProbeHarness(options);
  await harness.manager.start();
  await harness.advance(60_000);
  return harness;
}
const iso = (harness: ProbeHarness, ageMs: number): ContainerState => ({
  running: { startedAt: new Date(harness.clock.now() - ageMs).toISOString() },
});

describe('a kubelet that restarts', () => {
  it.each([
    [false, { started: true, ready: true }],
    [true, { started: false, ready: false }],
  ])('and changes statuses on that: %s', async (changeStatusOnRestart, shown) => {
    const first = await running();
    const both = { startupProbe: probe('startup'), readinessProbe: probe('readiness') };
    const pod = podWith([{ name: 'app', ...both }], {}, {});
    const state = iso(first, 1_000);
    first.setStatus(pod, statusOf({ state, started: false }));
    first.manager.addPod(pod);
    await first.advance(30_000);
    const status = statusOf({ state, started: true });
    first.setStatus(pod, status);
    await first.advance(30_000);
    expect(first.written).toEqual(
      expect.arrayContaining(['startup containerd://c1 true', 'readiness containerd://c1 true']),
    );
    await first.manager.stop();
    const { clock, checkpoints } = first;
    const next = createProbeHarness({ clock, checkpoints, changeStatusOnRestart });
    await next.manager.start();
    next.hang(true);
    next.setStatus(pod, status);
    next.manager.addPod(pod);
    await next.advance(30_000);
    expect(next.manager.withProbeResults(pod, status).containerStatuses).toMatchObject([{ ...shown }]);
    next.hang(false);
    await next.manager.stop();
  });
});

describe('one run of a worker', () => {
  const kinds = ['liveness', 'readiness', 'startup'] as const;
  type Row = readonly [
    name: string,
    kind: ProbeKind,
    status: PodStatus | undefined,
    asked: number,
    result: string | undefined,
    over: boolean,
  ];
  const rows: readonly Row[] = [
    ...kinds.map((kind): Row => ['no status', kind, undefined, 0, undefined, false]),
    ...kinds.map((kind): Row => ['phase Succeeded', kind, statusOf({}, { phase: 'Succeeded' }), 0, undefined, true]),
    ...kinds.map((kind): Row => ['phase Failed', kind, statusOf({}, { phase: 'Failed' }), 0, undefined, true]),
    ...kinds.map((kind): Row => ['no container yet', kind, statusOf({ containerID: '' }), 0, undefined, false]),
    ...kinds.map((kind): Row => ['it waits', kind, statusOf({ state: waiting }), 0, 'failure', false]),
    ...kinds.map((kind): Row => ['it ended and restarts', kind, statusOf({ state: ended(1) }), 0, 'failure', false]),
    ['it is not started', 'liveness', statusOf({ started: false }), 0, 'success', false],
    ['it is not started', 'readiness', statusOf({ started: false }), 0, 'failure', false],
    ['it is not started', 'startup', statusOf({ started: false }), 1, 'success', false],
    ['it is started', 'liveness', statusOf(), 1, 'success', false],
    ['it is started', 'readiness', statusOf(), 1, 'success', false],
    ['it is started', 'startup', statusOf(), 0, 'unknown', false],
  ];

  it.each(rows)('%s, %s', async (_name, kind, status, asked, result, over) => {
    const harness = await running();
    const pod = podFor(kind);
    if (status !== undefined) harness.setStatus(pod, status);
    harness.manager.addPod(pod);
    await harness.advance(0);
    expect([harness.asked.length, harness.results.get(kind, 'c1')]).toEqual([asked, result]);
    // What is over does not go on with a container that could be asked.
    harness.setStatus(pod, statusOf({ containerID: 'containerd://c2', started: kind !== 'startup' }));
    await harness.advance(10_000);
    expect(harness.asked.length > asked).toBe(!over);
    await harness.manager.stop();
  });

  it.each([
    ['Never', 0, [], true],
    ['OnFailure', 0, [], true],
    ['OnFailure', 1, [], false],
    ['Always', 0, [], false],
    ['Never', 0, [{ type: 'AllContainersRestarting', status: 'True' }], false],
  ] as const)(
    'restartPolicy %s, exit code %i, conditions %j: over is %s',
    async (restartPolicy, code, conditions, over) => {
      const harness = await running();
      const pod = podFor('readiness', {}, { restartPolicy });
      harness.setStatus(pod, statusOf({ state: ended(code) }, { conditions: [...conditions] }));
      harness.manager.addPod(pod);
      await harness.advance(0);
      expect(harness.results.get('readiness', 'c1')).toBe(over ? undefined : 'failure');
      await harness.manager.stop();
    },
  );

  it('is not made again for a container that has ended for good, until there is another one', async () => {
    const harness = await running();
    const pod = podFor('readiness', {}, { restartPolicy: 'Never' });
    harness.setStatus(pod, statusOf({ state: ended(0) }));
    const heard: string[] = [];
    // As the sync loop does: a result asks for a sync, which adds the pod.
    harness.results.watch(({ result }) => {
      heard.push(result);
      harness.clock.setTimer(1, () => harness.manager.addPod(pod));
    });
    harness.manager.addPod(pod);
    await harness.advance(1_000);
    expect(heard).toEqual(['failure']);
    harness.setStatus(pod, statusOf({ containerID: 'containerd://c2' }));
    harness.manager.addPod(pod);
    await harness.advance(0);
    expect(harness.results.get('readiness', 'c2')).toBe('success');
    await harness.manager.stop();
  });

  it.each([
    ['liveness', 'success', 0],
    ['startup', 'success', 0],
    ['readiness', 'failure', 1],
  ] as const)('of a pod that is being deleted, %s: its last word is %s', async (kind, last, asked) => {
    const harness = await running();
    const pod = podFor(kind, {}, {}, { deletionTimestamp: '2026-01-01T00:00:00Z' });
    harness.setStatus(pod, statusOf({ started: kind !== 'startup' }));
    harness.answer('app', 'failure');
    const heard: string[] = [];
    harness.results.watch(({ result }) => heard.push(result));
    harness.manager.addPod(pod);
    await harness.advance(0);
    expect([heard.at(-1), harness.asked.length]).toEqual([last, asked]);
    await harness.manager.stop();
  });

  it('waits for the initial delay, in whole seconds since the start of the container', async () => {
    const harness = await running();
    const pod = podFor('readiness', { initialDelaySeconds: 15, periodSeconds: 1 });
    const begunAt = harness.clock.monotonic();
    harness.setStatus(pod, statusOf({ state: iso(harness, 500) }));
    harness.manager.addPod(pod);
    await harness.advance(20_000);
    expect((harness.askedAt[0] ?? 0) - begunAt).toBe(15_000);
    await harness.manager.stop();
  });
});

describe('when a worker runs', () => {
  it('at once, then every period, without a pause after one that took longer', async () => {
    const harness = await running();
    const pod = podFor('liveness');
    harness.setStatus(pod, statusOf());
    const begunAt = harness.clock.monotonic();
    harness.manager.addPod(pod);
    await harness.advance(20_000);
    harness.hang(true);
    await harness.advance(10_000);
    await harness.advance(25_000);
    harness.hang(false);
    await harness.advance(20_000);
    expect(harness.askedAt.map((at) => at - begunAt)).toEqual([0, 10_000, 20_000, 30_000, 55_000, 60_000, 70_000]);
    await harness.manager.stop();
  });

  it('after a random part of the period while the kubelet is younger than it', async () => {
    const harness = createProbeHarness({ random: { next: () => 0.25, hex: () => '' } });
    await harness.manager.start();
    await harness.advance(9_999);
    const pod = podFor('liveness');
    harness.setStatus(pod, statusOf());
    const begunAt = harness.clock.monotonic();
    harness.manager.addPod(pod);
    await harness.advance(12_500);
    expect(harness.askedAt.map((at) => at - begunAt)).toEqual([2_500, 12_500]);
    await harness.manager.stop();
  });

  it('not many of them at the same moment', async () => {
    const harness = await running();
    const pods = Array.from({ length: 100 }, (_, index) => podFor('liveness', {}, {}, { uid: `u${index}` }));
    for (const pod of pods) {
      harness.setStatus(pod, statusOf({ containerID: `containerd://${pod.metadata.uid}` }));
      harness.manager.addPod(pod);
    }
    await harness.advance(100);
    expect(harness.askedAt).toHaveLength(100);
    const moments = new Map<number, number>();
    for (const at of harness.askedAt) moments.set(at, (moments.get(at) ?? 0) + 1);
    expect(Math.max(...moments.values())).toBe(10);
    await harness.manager.stop();
  });

  it('at once when a container that is not ready is looked at, with a new period from then', async () => {
    const harness = await running();
    const pod = podFor('readiness');
    harness.answer('app', 'failure');
    harness.setStatus(pod, statusOf());
    harness.manager.addPod(pod);
    await harness.advance(4_000);
    harness.manager.withProbeResults(pod, statusOf());
    await harness.advance(0);
    expect(harness.asked).toHaveLength(2);
    await harness.advance(9_999);
    expect(harness.asked).toHaveLength(2);
    await harness.advance(1);
    expect(harness.asked).toHaveLength(3);
    harness.answer('app', 'success');
    await harness.advance(10_000);
    harness.manager.withProbeResults(pod, statusOf());
    await harness.advance(0);
    expect(harness.asked).toHaveLength(4);
    await harness.manager.stop();
  });
});

describe('results', () => {
  it.each([
    [
      'readiness',
      { failureThreshold: 3 },
      ['success', 'failure', 'failure', 'failure'],
      ['success', 'success', 'success', 'failure'],
    ],
    [
      'readiness',
      { successThreshold: 2 },
      ['success', 'success', 'failure', 'success', 'success'],
      ['failure', 'success', 'failure', 'failure', 'success'],
    ],
    [
      'liveness',
      { failureThreshold: 2 },
      ['failure', 'success', 'failure', 'failure'],
      ['success', 'success', 'success', 'failure'],
    ],
    ['startup', { failureThreshold: 2 }, ['failure', 'failure'], ['unknown', 'failure']],
  ] as const)('%s with %j: %j is shown as %j', async (kind, thresholds, answers, shown) => {
    const harness = await running();
    const pod = podFor(kind, thresholds);
    harness.setStatus(pod, statusOf({ started: kind !== 'startup' }));
    const seen: unknown[] = [];
    for (const [index, answer] of answers.entries()) {
      harness.answer('app', answer);
      if (index === 0) harness.manager.addPod(pod);
      await harness.advance(index === 0 ? 0 : 10_000);
      seen.push(harness.results.get(kind, 'c1'));
    }
    expect(seen).toEqual(shown);
    await harness.manager.stop();
  });

  it('count on over a new container, as upstream has it', async () => {
    const harness = await running();
    const pod = podFor('liveness', { failureThreshold: 2 });
    harness.setStatus(pod, statusOf());
    harness.answer('app', 'failure');
    harness.manager.addPod(pod);
    await harness.advance(0);
    harness.setStatus(pod, statusOf({ containerID: 'containerd://c2' }));
    await harness.advance(10_000);
    expect(harness.results.get('liveness', 'c2')).toBe('failure');
    await harness.manager.stop();
  });

  it.each([
    ['startup', 'success'],
    ['startup', 'failure'],
    ['liveness', 'failure'],
  ] as const)('are final for this container: %s %s', async (kind, answer) => {
    const harness = await running();
    const pod = podFor(kind);
    harness.setStatus(pod, statusOf({ started: kind !== 'startup' }));
    harness.answer('app', answer);
    harness.manager.addPod(pod);
    await harness.advance(60_000);
    expect(harness.asked).toHaveLength(1);
    harness.setStatus(pod, statusOf({ started: kind !== 'startup', containerID: 'containerd://c2' }));
    await harness.advance(10_000);
    expect(harness.asked).toHaveLength(2);
    await harness.manager.stop();
  });

  it('are on the disk before anybody hears of them, and gone with the container', async () => {
    const harness = await running();
    const pod = podFor('readiness');
    harness.setStatus(pod, statusOf());
    const decode = (json: unknown): unknown => json;
    const kept = (): unknown => harness.checkpoints.read('u1', { name: 'probe.results', decode });
    harness.results.watch(({ result }) => {
      expect(kept()).toEqual({ app: { readiness: { containerId: 'c1', result } } });
    });
    harness.manager.addPod(pod);
    await harness.advance(0);
    expect(harness.results.get('readiness', 'c1')).toBe('success');
    harness.manager.removePod(pod);
    await harness.advance(0);
    expect([kept(), harness.checkpoints.podUids()]).toEqual([undefined, []]);
    expect.assertions(4);
    await harness.manager.stop();
  });

  it('stay for the next process when the kubelet stops', async () => {
    const harness = await running();
    const pod = podFor('readiness');
    harness.setStatus(pod, statusOf());
    harness.manager.addPod(pod);
    await harness.advance(0);
    await harness.manager.stop();
    const next = await harness.reborn();
    await next.manager.start();
    expect(next.results.get('readiness', 'c1')).toBe('success');
    next.manager.cleanupPods(new Set());
    expect([next.results.get('readiness', 'c1'), next.checkpoints.podUids()]).toEqual([undefined, []]);
  });

  it('of a container that was replaced while no kubelet ran do not count for its successor', async () => {
    const harness = await running();
    const pod = podFor('startup');
    harness.setStatus(pod, statusOf({ started: false }));
    harness.manager.addPod(pod);
    await harness.advance(0);
    const next = await harness.reborn();
    await next.manager.start();
    next.answer('app', 'failure');
    const successor = statusOf({ started: false, containerID: 'containerd://c2' });
    expect(next.manager.withProbeResults(pod, successor).containerStatuses?.[0]?.started).toBe(false);
    next.setStatus(pod, successor);
    next.manager.addPod(pod);
    await next.advance(10_000);
    expect([next.results.get('startup', 'c1'), next.results.get('startup', 'c2')]).toEqual([undefined, 'failure']);
    await next.manager.stop();
  });

  it.each([
    [null],
    [[]],
    ['text'],
    [{ app: 7 }],
    [{ app: { readiness: { containerId: 7, result: 'success' } } }],
    [{ app: { readiness: { containerId: 'c', result: 'good' } } }],
  ])('are not believed when the disk says %j', async (value) => {
    const harness = createProbeHarness();
    await harness.checkpoints.write('u1', { name: 'probe.results', decode: () => undefined }, value as never);
    await harness.manager.start();
    expect(harness.results.get('readiness', 'c')).toBeUndefined();
  });
});

describe('what users are told', () => {
  const where = 'spec.containers{app}';
  it.each<[string, readonly (ProbeOutcome | Error)[], string | undefined, number, readonly string[]]>([
    ['success', [{ result: 'success', output: 'ok' }], 'success', 1, []],
    [
      'failure',
      [{ result: 'failure', output: 'no' }],
      'failure',
      1,
      [`Warning Unhealthy ${where}: Readiness probe failed: no`],
    ],
    [
      'warning',
      [{ result: 'warning', output: 'moved' }],
      'success',
      1,
      [`Warning ProbeWarning ${where}: Readiness probe warning: moved`],
    ],
    ['unknown', [{ result: 'unknown', output: '' }], 'failure', 1, []],
    ['inconclusive', [{ result: 'inconclusive' }], 'failure', 1, []],
    [
      'three errors',
      [{ result: 'unknown', error: 'x' }],
      'failure',
      3,
      [`Warning Unhealthy ${where}: Readiness probe errored and resulted in unknown state: x`],
    ],
    [
      'three errors while reading',
      [{ result: 'failure', error: 'y' }],
      'failure',
      3,
      [`Warning Unhealthy ${where}: Readiness probe errored and resulted in failure state: y`],
    ],
    ['two errors, then success', [new Error('x'), new Error('x'), { result: 'success', output: '' }], 'success', 3, []],
    [
      'an error, then failure',
      [new Error('x'), { result: 'failure', output: 'no' }],
      'failure',
      2,
      [`Warning Unhealthy ${where}: Readiness probe failed: no`],
    ],
  ])('%s', async (_name, outcomes, result, asked, events) => {
    const harness = await running();
    const pod = podFor('readiness');
    harness.setStatus(pod, statusOf());
    harness.answerWith(...outcomes);
    harness.manager.addPod(pod);
    await harness.advance(0);
    expect([harness.results.get('readiness', 'c1'), harness.asked.length, harness.events]).toEqual([
      result,
      asked,
      events,
    ]);
    await harness.manager.stop();
  });

  it('errors leave the result as it was', async () => {
    const harness = await running();
    const pod = podFor('readiness', { failureThreshold: 2 });
    harness.setStatus(pod, statusOf());
    harness.answerWith({ result: 'success', output: '' }, { result: 'failure', output: '' }, new Error('x'));
    harness.manager.addPod(pod);
    await harness.advance(100_000);
    expect(harness.results.get('readiness', 'c1')).toBe('success');
    harness.answerWith({ result: 'failure', output: '' });
    await harness.advance(10_000);
    expect(harness.results.get('readiness', 'c1')).toBe('failure');
    await harness.manager.stop();
  });

  it('names sidecars by their place, and a probe without a handler', async () => {
    const harness = await running();
    const sidecar: Container = { name: 'app', restartPolicy: 'Always', livenessProbe: { periodSeconds: 10 } };
    const pod = podWith([], { initContainers: [sidecar, { name: 'plain', livenessProbe: probe('liveness') }] });
    const { containerStatuses, ...rest } = statusOf();
    harness.setStatus(pod, { ...rest, initContainerStatuses: containerStatuses ?? [] });
    harness.manager.addPod(pod);
    await harness.advance(0);
    expect(harness.events).toEqual([
      'Warning Unhealthy spec.initContainers{app}: Liveness probe errored and resulted in unknown state: missing probe handler for web_default(u1):app',
    ]);
    expect(harness.asked).toEqual([]);
    await harness.manager.stop();
  });
});

describe('metrics', () => {
  it('count results and time successes, and go with the worker', async () => {
    const harness = await running();
    const pod = podFor('readiness', { failureThreshold: 3 });
    harness.setStatus(pod, statusOf());
    harness.answerWith(
      { result: 'success', output: '' },
      { result: 'failure', output: '' },
      new Error('x'), // not counted: nothing was learned
    );
    harness.manager.addPod(pod);
    await harness.advance(20_000);
    const lines = async (): Promise<readonly string[]> =>
      (await harness.metrics.render()).split('\n').filter((line) => /^prober.*(total|count)/.test(line));
    const labels = 'container="app",namespace="default",pod="web"';
    expect(await lines()).toEqual([
      `prober_probe_duration_seconds_count{${labels},probe_type="Readiness"} 1`,
      `prober_probe_total{${labels},pod_uid="u1",probe_type="Readiness",result="failed"} 1`,
      `prober_probe_total{${labels},pod_uid="u1",probe_type="Readiness",result="successful"} 1`,
    ]);
    const text = await harness.metrics.render();
    expect(text).toContain(
      '# HELP prober_probe_total [BETA] Cumulative number of a liveness, readiness or startup probe',
    );
    expect(text).toContain('process_start_time_seconds');
    harness.manager.removePod(pod);
    expect(await lines()).toEqual([]);
    await harness.manager.stop();
  });
});
