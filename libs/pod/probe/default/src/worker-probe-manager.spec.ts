import { describe, expect, it } from '@jest/globals';
import { describeProbeManagerContract } from '@podwright/probe-interface/contract';
import { createProbeHarness } from './fixtures/probe-harness.js';
import { startedAgo, podFor, podWith, probe, running, statusOf } from './fixtures/probed-pods.js';

describeProbeManagerContract('WorkerProbeManager', async () => createProbeHarness());
describe('a kubelet that restarts', () => {
  it.each([
    [false, { started: true, ready: true }],
    [true, { started: false, ready: false }],
  ])('and changes statuses on that: %s', async (changeStatusOnRestart, shown) => {
    const first = await running();
    const both = { startupProbe: probe('startup'), readinessProbe: probe('readiness') };
    const pod = podWith([{ name: 'app', ...both }], {}, {});
    const state = startedAgo(first, 1_000);
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
