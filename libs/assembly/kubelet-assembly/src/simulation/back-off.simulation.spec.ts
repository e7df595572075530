import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { SimulatedNode } from './simulated-node.js';
import { simulatedPod } from './simulated-pod.js';

const seconds = (times: readonly number[]): readonly number[] =>
  times.slice(1).map((time, index) => Math.round((time - (times[index] ?? 0)) / 1000));

describe('back-off', () => {
  let node: SimulatedNode;
  beforeEach(async () => {
    node = await SimulatedNode.create({ jitterless: true });
    await node.boot();
  });
  afterEach(() => node.dispose());

  const startTimes = (): readonly number[] =>
    node.runtime.calls.of('startContainer').map(({ startedAtMs }) => startedAtMs);

  it('of a container that crashes at once grows from 10 s to 5 min', async () => {
    node.runtime.programs.set('main', { exitAfterMs: 100, exitCode: 1 });
    const pod = simulatedPod('crashing');
    node.want(pod);
    await node.until(() => startTimes().length === 9, 3_600_000);
    const gaps = seconds(startTimes());
    const wanted = [0, 10, 20, 40, 80, 160, 300, 300];
    // The pause counts from the end of the container; the relist that sees the end adds up to a second.
    gaps.forEach((gap, index) => {
      expect(gap).toBeGreaterThanOrEqual(wanted[index]!);
      expect(gap).toBeLessThanOrEqual(wanted[index]! + 1);
    });
    const waiting = node.statuses.flatMap(({ status }) => status.containerStatuses?.[0]?.state?.waiting?.message ?? []);
    expect(waiting).toContain('back-off 10s restarting failed container=main pod=crashing_default(uid-crashing)');
    expect(waiting).toContain('back-off 5m0s restarting failed container=main pod=crashing_default(uid-crashing)');
    expect(node.reasons(pod)).toContain('BackOff');
  });

  it('begins anew after a container ran for twice the longest pause', async () => {
    node.runtime.programs.set('main', ({ attempt }) => ({ exitAfterMs: attempt === 3 ? 620_000 : 100, exitCode: 1 }));
    node.want(simulatedPod('recovering'));
    await node.until(() => startTimes().length === 7, 3_600_000);
    const gaps = seconds(startTimes());
    expect(gaps[0]).toBeLessThanOrEqual(3);
    expect(gaps[1]).toBeLessThanOrEqual(13);
    expect(gaps[2]).toBeLessThanOrEqual(23);
    expect(gaps[3]).toBeLessThanOrEqual(625);
    expect(gaps[4]).toBeLessThanOrEqual(13);
  });

  it('of an image that cannot be pulled', async () => {
    const image = 'registry.test/rare:1';
    const fault = { code: 'not-found' as const, message: 'not there' };
    node.runtime.store.publish(image, { pullErrors: Array.from({ length: 6 }, () => fault) });
    const pod = simulatedPod('rare', { containers: [{ name: 'main', image }] });
    node.want(pod);
    await node.until(() => node.isReady(pod), 3_600_000);
    const gaps = seconds(node.runtime.calls.of('pullImage').map(({ startedAtMs }) => startedAtMs));
    // The pulls are asked for by syncs, which come every 10 s after a failure.
    [10, 20, 40, 80, 160].forEach((pause, index) => {
      expect(gaps[index]).toBeGreaterThanOrEqual(pause);
      expect(gaps[index]).toBeLessThanOrEqual(pause + 15);
    });
    const waiting = node.statuses.flatMap(({ status }) => status.containerStatuses?.[0]?.state?.waiting?.reason ?? []);
    expect(new Set(waiting)).toEqual(new Set(['ContainerCreating', 'ErrImagePull', 'ImagePullBackOff']));
    expect(node.reasons(pod)).toEqual(expect.arrayContaining(['Pulling', 'Failed', 'BackOff', 'Pulled', 'Started']));
  });

  it('of a pod whose sandbox cannot be made', async () => {
    node.runtime.faults.fail({ rpc: 'runPodSandbox' }, { code: 'unknown', message: 'no address left', times: 4 });
    const pod = simulatedPod('homeless');
    node.want(pod);
    await node.until(() => node.isReady(pod), 600_000);
    const gaps = seconds(node.runtime.calls.of('runPodSandbox').map(({ startedAtMs }) => startedAtMs));
    for (const gap of gaps) {
      expect(gap).toBeGreaterThanOrEqual(5);
      expect(gap).toBeLessThanOrEqual(11);
    }
    expect(node.reasons(pod)).toContain('FailedCreatePodSandBox');
  });
});
