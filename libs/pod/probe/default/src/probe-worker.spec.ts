import { describe, expect, it } from '@jest/globals';
import type { Pod, PodStatus } from '@podwright/kube-types';
import type { ProbeKind } from '@podwright/probe-interface';
import { ended, startedAgo, podFor, running, statusOf, waiting } from './fixtures/probed-pods.js';

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
    harness.setStatus(pod, statusOf({ state: startedAgo(harness, 500) }));
    harness.manager.addPod(pod);
    await harness.advance(20_000);
    expect((harness.askedAt[0] ?? 0) - begunAt).toBe(15_000);
    await harness.manager.stop();
  });

  it('probes a container although the wall clock was set back since its start', async () => {
    const harness = await running();
    const pod = podFor('startup', { initialDelaySeconds: 5, periodSeconds: 1 });
    harness.setStatus(pod, statusOf({ started: false, state: startedAgo(harness, 0) }));
    harness.clock.setWallClock(harness.clock.now() - 3_600_000);
    const begunAt = harness.clock.monotonic();
    harness.manager.addPod(pod);
    await harness.advance(10_000);
    expect((harness.askedAt[0] ?? 0) - begunAt).toBe(5_000);
    await harness.manager.stop();
  });

  it('meets a container that started after the wall clock was set back as a new one', async () => {
    const harness = await running();
    harness.clock.setWallClock(harness.clock.now() - 3_600_000);
    const pod: Pod = { ...podFor('readiness'), status: { conditions: [{ type: 'Ready', status: 'True' }] } };
    const status = statusOf({ state: startedAgo(harness, 0) });
    harness.setStatus(pod, status);
    expect(harness.manager.withProbeResults(pod, status).containerStatuses?.[0]?.ready).toBe(false);
    await harness.manager.stop();
  });
});
