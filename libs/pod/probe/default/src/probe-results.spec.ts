import { describe, expect, it } from '@jest/globals';
import { createProbeHarness } from './fixtures/probe-harness.js';
import { podFor, running, statusOf } from './fixtures/probed-pods.js';

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

  it('count anew for the container that follows one which failed', async () => {
    const harness = await running();
    const pod = podFor('liveness', { failureThreshold: 2 });
    harness.setStatus(pod, statusOf());
    harness.answer('app', 'failure');
    harness.manager.addPod(pod);
    await harness.advance(10_000);
    expect(harness.results.get('liveness', 'c1')).toBe('failure');
    harness.setStatus(pod, statusOf({ containerID: 'containerd://c2' }));
    await harness.advance(10_000);
    expect(harness.results.get('liveness', 'c2')).toBe('success');
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
