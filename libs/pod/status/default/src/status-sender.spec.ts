import { afterEach, describe, expect, it } from '@jest/globals';
import { KubeApiError, pods as podResource } from '@podwright/kube-client-interface';
import type { Pod, PodStatus } from '@podwright/kube-types';
import { TestCluster } from '@podwright/test-cluster';
import { createClusterBench, container, running, type ClusterBench } from './fixtures/cluster-bench.js';

let bench: ClusterBench;
afterEach(async () => {
  await bench.stop();
  expect(bench.cluster.clock.pendingTimers).toBe(0);
});

const apiError = (code: KubeApiError['code'], httpStatus: number): KubeApiError =>
  new KubeApiError(`${code}`, { code, httpStatus });
const settle = (): Promise<void> => bench.cluster.clock.advance(0);
const condition = (pod: Pod | undefined, type: string): string | undefined =>
  pod?.status?.conditions?.find((one) => one.type === type)?.status;

async function addPods(...names: readonly string[]): Promise<readonly Pod[]> {
  const added: Pod[] = [];
  for (const name of names) added.push(await bench.addPod(name));
  return added;
}
describe('StatusSender', () => {
  it('sends each accepted change at once, without reading the object first', async () => {
    bench = await createClusterBench(new TestCluster());
    const pod = await bench.addPod('a');
    bench.manager.setPodStatus(pod, running(false));
    await settle();
    bench.manager.setPodStatus(pod, running(true));
    await settle();
    const live = await bench.live('a');
    expect([live?.status?.phase, condition(live, 'Ready')]).toEqual(['Running', 'True']);
    expect(bench.calls).toEqual(['patch a at ' + pod.metadata.resourceVersion, expect.stringMatching(/^patch a at /)]);
    expect(await bench.metrics.render()).toContain('kubelet_pod_status_sync_duration_seconds_count 2');
  });

  it('sends what is accepted in one go in one patch, and only the newest', async () => {
    bench = await createClusterBench(new TestCluster());
    const pod = await bench.addPod('a');
    bench.manager.setPodStatus(pod, { phase: 'Pending', qosClass: 'BestEffort' });
    bench.manager.setPodStatus(pod, running(false));
    bench.manager.setContainerReadiness(pod.metadata.uid ?? '', 'containerd://c1', true);
    await settle();
    expect(bench.calls).toHaveLength(1);
    expect(condition(await bench.live('a'), 'Ready')).toBe('True');
  });

  it('reads the object when somebody else was faster, and keeps what they wrote', async () => {
    bench = await createClusterBench(new TestCluster());
    const pod = await bench.addPod('a');
    bench.holdWatch(true);
    const gate = { type: 'example.com/gate', status: 'True' };
    await bench.admin.patch(
      podResource,
      { namespace: 'default', name: 'a' },
      { type: 'strategic-merge', body: { status: { conditions: [gate] } } },
      { subresource: 'status' },
    );
    bench.manager.setPodStatus(pod, running(true));
    await settle();
    expect(bench.calls.map((call) => call.split(' ')[0])).toEqual(['patch', 'get', 'patch']);
    const live = await bench.live('a');
    expect([condition(live, 'example.com/gate'), condition(live, 'Ready')]).toEqual(['True', 'True']);
  });

  it('goes on from its own last answer while the watch is behind', async () => {
    bench = await createClusterBench(new TestCluster());
    const pod = await bench.addPod('a');
    bench.holdWatch(true);
    for (const ready of [false, true, false]) {
      bench.manager.setPodStatus(pod, running(ready));
      await settle();
    }
    expect(bench.calls.map((call) => call.split(' ')[0])).toEqual(['patch', 'patch', 'patch']);
    expect(condition(await bench.live('a'), 'Ready')).toBe('False');
  });

  it('sends nothing when nothing differs, also when the server has shortened the status', async () => {
    bench = await createClusterBench(new TestCluster());
    const pod = await bench.addPod('a');
    const status: PodStatus = {
      ...running(true),
      message: '',
      initContainerStatuses: [],
      containerStatuses: [{ ...container(true), lastState: {}, resources: { requests: { cpu: '500m' } } }],
    };
    bench.manager.setPodStatus(pod, status);
    await bench.cluster.clock.advance(60_000);
    expect(bench.calls).toHaveLength(1);
  });

  it('puts right within ten seconds what somebody else has changed', async () => {
    bench = await createClusterBench(new TestCluster());
    const pod = await bench.addPod('a');
    bench.manager.setPodStatus(pod, running(true));
    await settle();
    await bench.admin.patch(
      podResource,
      { namespace: 'default', name: 'a' },
      { type: 'merge', body: { status: { phase: 'Pending' } } },
      { subresource: 'status' },
    );
    await bench.cluster.clock.advance(10_000);
    expect((await bench.live('a'))?.status?.phase).toBe('Running');
  });

  it('holds the terminal phase back while containers may run, and deletes the object when the pod is over', async () => {
    bench = await createClusterBench(new TestCluster());
    const pod = await bench.addPod('a');
    const uid = pod.metadata.uid ?? '';
    bench.manager.setPodStatus(pod, running(true));
    await settle();
    await bench.admin.delete(podResource, { namespace: 'default', name: 'a' });
    await settle();
    const deleted = (await bench.live('a')) as Pod;
    expect(deleted.metadata.deletionTimestamp).toBeDefined();
    bench.manager.setPodStatus(deleted, { ...running(false), phase: 'Succeeded' });
    await settle();
    expect((await bench.live('a'))?.status?.phase).toBe('Running');
    bench.terminated.add(uid);
    bench.manager.terminatePod(deleted);
    await settle();
    expect(await bench.live('a')).toBeUndefined();
    expect(bench.calls.at(-1)).toBe('delete a');
    expect(bench.manager.getPodStatus(uid)).toBeUndefined();
  });

  it('deletes a pod that ended long before it was deleted, as soon as the watch tells', async () => {
    bench = await createClusterBench(new TestCluster());
    const pod = await bench.addPod('a');
    bench.terminated.add(pod.metadata.uid ?? '');
    bench.manager.setPodStatus(pod, { ...running(false), phase: 'Succeeded' });
    bench.manager.terminatePod(pod);
    await settle();
    expect((await bench.live('a'))?.status?.phase).toBe('Succeeded');
    await bench.admin.delete(podResource, { namespace: 'default', name: 'a' });
    await settle();
    expect(await bench.live('a')).toBeUndefined();
  });

  it('leaves a pod of the same name alone that has taken the place', async () => {
    bench = await createClusterBench(new TestCluster());
    const pod = await bench.addPod('a');
    bench.holdWatch(true);
    await bench.admin.delete(podResource, { namespace: 'default', name: 'a' }, { gracePeriodSeconds: 0 });
    await bench.addPod('a');
    bench.manager.setPodStatus(pod, running(true));
    await settle();
    expect((await bench.live('a'))?.status?.phase).not.toBe('Running');
    expect(bench.manager.getPodStatus(pod.metadata.uid ?? '')).toBeUndefined();
  });

  it('asks no more for a pod that is gone', async () => {
    bench = await createClusterBench(new TestCluster());
    const pod = await bench.addPod('a');
    await bench.admin.delete(podResource, { namespace: 'default', name: 'a' }, { gracePeriodSeconds: 0 });
    await settle();
    bench.manager.setPodStatus(pod, running(true));
    await bench.cluster.clock.advance(30_000);
    expect(bench.calls).toEqual([]);
  });

  it('sends the status of a static pod to its mirror pod, as soon as there is one', async () => {
    bench = await createClusterBench(new TestCluster());
    const pod = bench.addStaticPod('s-n1');
    bench.manager.setPodStatus(pod, running(true));
    await bench.cluster.clock.advance(20_000);
    expect(bench.calls).toEqual([]);
    await bench.addMirrorPod(pod);
    expect(condition(await bench.live('s-n1'), 'Ready')).toBe('True');
    // A mirror pod that was made again shows the status again.
    await bench.admin.delete(podResource, { namespace: 'default', name: 's-n1' }, { gracePeriodSeconds: 0 });
    await settle();
    await bench.addMirrorPod(pod);
    expect(condition(await bench.live('s-n1'), 'Ready')).toBe('True');
  });

  it('never deletes a mirror pod', async () => {
    bench = await createClusterBench(new TestCluster());
    const pod = bench.addStaticPod('s-n1');
    await bench.addMirrorPod(pod);
    bench.terminated.add('uid-s-n1');
    bench.manager.setPodStatus(pod, { ...running(false), phase: 'Succeeded' });
    bench.manager.terminatePod(pod);
    await bench.admin.delete(podResource, { namespace: 'default', name: 's-n1' });
    await bench.cluster.clock.advance(20_000);
    expect(bench.calls.filter((call) => call.startsWith('delete'))).toEqual([]);
  });

  it('sends the newest statuses when a server that was away is back, and says so once', async () => {
    bench = await createClusterBench(new TestCluster());
    const all = await addPods('a', 'b', 'c', 'd', 'e');
    bench.disturb = () => {
      throw apiError('unavailable', 0);
    };
    for (const pod of all) bench.manager.setPodStatus(pod, running(false));
    await bench.cluster.clock.advance(150_000);
    for (const pod of all) bench.manager.setPodStatus(pod, running(true));
    await bench.cluster.clock.advance(150_000);
    // One pod at a time finds out: no more than one call in about ten seconds.
    expect(bench.calls.length).toBeLessThan(60);
    expect(bench.logger.messages('error')).toHaveLength(1);
    bench.calls.length = 0;
    bench.disturb = () => undefined;
    await bench.cluster.clock.advance(20_000);
    expect(bench.calls).toHaveLength(5);
    for (const { metadata } of all) expect(condition(await bench.live(metadata.name ?? ''), 'Ready')).toBe('True');
    expect(bench.logger.messages('info')).toContain('Statuses of pods reach the API server again');
  });

  it.each([
    ['409', apiError('aborted', 409)],
    ['429', apiError('resource-exhausted', 429)],
    ['500', apiError('internal', 500)],
  ])('gets over a storm of %s', async (_name, error) => {
    bench = await createClusterBench(new TestCluster());
    const all = await addPods('a', 'b', 'c');
    let count = 0;
    bench.disturb = () => {
      if (count++ % 5 !== 4) throw error;
    };
    for (const ready of [false, true, false, true]) {
      for (const pod of all) bench.manager.setPodStatus(pod, running(ready));
      await bench.cluster.clock.advance(1_000);
    }
    await bench.cluster.clock.advance(120_000);
    for (const { metadata } of all) expect(condition(await bench.live(metadata.name ?? ''), 'Ready')).toBe('True');
  });

  it('has no more on their way at one time than it may, one per pod, and urgent ones go first', async () => {
    bench = await createClusterBench(new TestCluster(), { maxConcurrent: 2 });
    const all = await addPods('a', 'b', 'c', 'd');
    const open: (() => void)[] = [];
    bench.disturb = () => new Promise((resolve) => open.push(resolve));
    const names = (): string[] => bench.calls.map((call) => call.split(' ')[1] ?? '');
    for (const pod of all) bench.manager.setPodStatus(pod, running(false));
    await settle();
    expect(names()).toEqual(['a', 'b']);
    bench.manager.setPodStatus(all[0] as Pod, running(true));
    bench.manager.setPodStatus(all[3] as Pod, running(true));
    await settle();
    expect(names()).toEqual(['a', 'b']);
    open.shift()?.();
    await settle();
    open.shift()?.();
    await settle();
    // a and d have become ready: before c.
    expect(names()).toEqual(['a', 'b', 'a', 'd']);
    bench.disturb = () => undefined;
    for (const go of open.splice(0)) go();
    await settle();
    expect(names()).toEqual(['a', 'b', 'a', 'd', 'c']);
  });

  it('tells when statuses are delivered', async () => {
    bench = await createClusterBench(new TestCluster());
    const pod = await bench.addPod('a');
    const uid = pod.metadata.uid ?? '';
    let go: () => void = () => undefined;
    bench.disturb = () => new Promise((resolve) => (go = resolve));
    bench.manager.setPodStatus(pod, running(true));
    const told: string[] = [];
    const delivered = bench.sender
      .delivered([uid, 'nobody'], new AbortController().signal)
      .then(() => told.push('yes'));
    const stopping = new AbortController();
    const refused = bench.sender.delivered([uid], stopping.signal);
    stopping.abort(new Error('no time'));
    await expect(refused).rejects.toThrow('no time');
    await settle();
    expect(told).toEqual([]);
    bench.disturb = () => undefined;
    go();
    await settle();
    await delivered;
    expect((await bench.live('a'))?.status?.phase).toBe('Running');
  });

  it('writes down only what the API server cannot give back', async () => {
    bench = await createClusterBench(new TestCluster());
    const pod = await bench.addPod('a');
    const keeps = (): boolean => bench.memory.podUids().includes(pod.metadata.uid ?? '');
    bench.manager.setPodStatus(pod, running(true));
    expect(keeps()).toBe(false);
    bench.manager.setPodStatus(pod, { ...running(false), phase: 'Failed', reason: 'Evicted' });
    expect(keeps()).toBe(true);
    bench.manager.setPodStatus(bench.addStaticPod('s-n1'), running(true));
    expect(bench.memory.podUids()).toContain('uid-s-n1');
  });
});
