import { afterEach, describe, expect, it } from '@jest/globals';
import { KubeApiError, pods as podResource } from '@podwright/kube-client-interface';
import type { Pod, PodStatus } from '@podwright/kube-types';
import { TestCluster } from '@podwright/test-cluster';
import { createClusterHarness, container, running, type ClusterHarness } from './fixtures/cluster-harness.js';

let harness: ClusterHarness;
afterEach(async () => {
  await harness.stop();
  expect(harness.cluster.clock.pendingTimers).toBe(0);
});

const apiError = (code: KubeApiError['code'], httpStatus: number): KubeApiError =>
  new KubeApiError(`${code}`, { code, httpStatus });
const settle = (): Promise<void> => harness.cluster.clock.advance(0);
const condition = (pod: Pod | undefined, type: string): string | undefined =>
  pod?.status?.conditions?.find((one) => one.type === type)?.status;

async function addPods(...names: readonly string[]): Promise<readonly Pod[]> {
  const added: Pod[] = [];
  for (const name of names) added.push(await harness.addPod(name));
  return added;
}
describe('StatusSender', () => {
  it('sends each accepted change at once, without reading the object first', async () => {
    harness = await createClusterHarness(new TestCluster());
    const pod = await harness.addPod('a');
    harness.manager.setPodStatus(pod, running(false));
    await settle();
    harness.manager.setPodStatus(pod, running(true));
    await settle();
    const live = await harness.live('a');
    expect([live?.status?.phase, condition(live, 'Ready')]).toEqual(['Running', 'True']);
    expect(harness.calls).toEqual([
      'patch a at ' + pod.metadata.resourceVersion,
      expect.stringMatching(/^patch a at /),
    ]);
    expect(await harness.metrics.render()).toContain('kubelet_pod_status_sync_duration_seconds_count 2');
    const way = ['status.changed', 'status.sent'];
    expect(harness.journal.kinds(pod.metadata.uid)).toEqual([...way, ...way]);
    expect(harness.journal.of('status.changed')[0]).toMatchObject({ phase: 'Running', notReady: ['main'] });
    expect(harness.journal.of('status.sent').map(({ ready }) => ready)).toEqual([false, true]);
  });

  it('sends what is accepted in one go in one patch, and only the newest', async () => {
    harness = await createClusterHarness(new TestCluster());
    const pod = await harness.addPod('a');
    harness.manager.setPodStatus(pod, { phase: 'Pending', qosClass: 'BestEffort' });
    harness.manager.setPodStatus(pod, running(false));
    harness.manager.setContainerReadiness(pod.metadata.uid ?? '', 'containerd://c1', true);
    await settle();
    expect(harness.calls).toHaveLength(1);
    expect(condition(await harness.live('a'), 'Ready')).toBe('True');
  });

  it('tells with the first container what nobody waits for before, and after a second without one', async () => {
    harness = await createClusterHarness(new TestCluster());
    const pending = (state: object, ...conditions: readonly string[]): PodStatus => ({
      phase: 'Pending',
      qosClass: 'BestEffort',
      containerStatuses: [{ ...container(false), state }],
      conditions: conditions.map((type) => ({ type, status: 'True' })),
    });
    const [creating, pulling] = ['ContainerCreating', 'ErrImagePull'].map((reason) => ({ waiting: { reason } }));
    const [a, b, c] = await addPods('a', 'b', 'c');
    for (const pod of [a, b, c]) harness.manager.setPodStatus(pod as Pod, pending(creating ?? {}));
    await settle();
    harness.calls.length = 0;
    for (const pod of [a, b, c])
      harness.manager.setPodStatus(pod as Pod, pending(creating ?? {}, 'PodReadyToStartContainers'));
    await harness.cluster.clock.advance(990);
    expect(harness.calls).toEqual([]);
    harness.manager.setPodStatus(a as Pod, running(false));
    harness.manager.setPodStatus(b as Pod, pending(pulling ?? {}, 'PodReadyToStartContainers'));
    await settle();
    expect(harness.calls.map((call) => call.slice(0, 7))).toEqual(['patch a', 'patch b']);
    await harness.cluster.clock.advance(100);
    expect(harness.calls.map((call) => call.slice(0, 7))).toEqual(['patch a', 'patch b', 'patch c']);
    expect(condition(await harness.live('c'), 'PodReadyToStartContainers')).toBe('True');
    // Somebody who asks for it does not wait.
    harness.manager.setPodStatus(c as Pod, pending(creating ?? {}, 'PodReadyToStartContainers', 'Initialized'));
    await harness.sender.delivered([c?.metadata.uid ?? ''], AbortSignal.timeout(60_000));
    expect(harness.calls).toHaveLength(4);
  });

  it('reads the object when somebody else was faster, and keeps what they wrote', async () => {
    harness = await createClusterHarness(new TestCluster());
    const pod = await harness.addPod('a');
    harness.holdWatch(true);
    const gate = { type: 'example.com/gate', status: 'True' };
    await harness.admin.patch(
      podResource,
      { namespace: 'default', name: 'a' },
      { type: 'strategic-merge', body: { status: { conditions: [gate] } } },
      { subresource: 'status' },
    );
    harness.manager.setPodStatus(pod, running(true));
    await settle();
    expect(harness.calls.map((call) => call.split(' ')[0])).toEqual(['patch', 'get', 'patch']);
    const live = await harness.live('a');
    expect([condition(live, 'example.com/gate'), condition(live, 'Ready')]).toEqual(['True', 'True']);
  });

  it('goes on from its own last answer while the watch is behind', async () => {
    harness = await createClusterHarness(new TestCluster());
    const pod = await harness.addPod('a');
    harness.holdWatch(true);
    for (const ready of [false, true, false]) {
      harness.manager.setPodStatus(pod, running(ready));
      await settle();
    }
    expect(harness.calls.map((call) => call.split(' ')[0])).toEqual(['patch', 'patch', 'patch']);
    expect(condition(await harness.live('a'), 'Ready')).toBe('False');
  });

  it('sends nothing when nothing differs, also when the server has shortened the status', async () => {
    harness = await createClusterHarness(new TestCluster());
    const pod = await harness.addPod('a');
    const status: PodStatus = {
      ...running(true),
      message: '',
      initContainerStatuses: [],
      containerStatuses: [{ ...container(true), lastState: {}, resources: { requests: { cpu: '500m' } } }],
    };
    harness.manager.setPodStatus(pod, status);
    await harness.cluster.clock.advance(60_000);
    expect(harness.calls).toHaveLength(1);
  });

  it('puts right within ten seconds what somebody else has changed', async () => {
    harness = await createClusterHarness(new TestCluster());
    const pod = await harness.addPod('a');
    harness.manager.setPodStatus(pod, running(true));
    await settle();
    await harness.admin.patch(
      podResource,
      { namespace: 'default', name: 'a' },
      { type: 'merge', body: { status: { phase: 'Pending' } } },
      { subresource: 'status' },
    );
    await harness.cluster.clock.advance(10_000);
    expect((await harness.live('a'))?.status?.phase).toBe('Running');
  });

  it('holds the terminal phase back while containers may run or claims are held, and deletes the object when the pod is over', async () => {
    harness = await createClusterHarness(new TestCluster());
    const pod = await harness.addPod('a');
    const uid = pod.metadata.uid ?? '';
    harness.manager.setPodStatus(pod, running(true));
    await settle();
    await harness.admin.delete(podResource, { namespace: 'default', name: 'a' });
    await settle();
    const deleted = (await harness.live('a')) as Pod;
    expect(deleted.metadata.deletionTimestamp).toBeDefined();
    harness.manager.setPodStatus(deleted, { ...running(false), phase: 'Succeeded' });
    await settle();
    expect((await harness.live('a'))?.status?.phase).toBe('Running');
    harness.terminated.add(uid);
    harness.holding.add(uid);
    harness.manager.terminatePod(deleted);
    await settle();
    expect((await harness.live('a'))?.status?.phase).toBe('Running');
    harness.holding.clear();
    await harness.cluster.clock.advance(10_000);
    expect(await harness.live('a')).toBeUndefined();
    expect(harness.calls.at(-1)).toBe('delete a');
    expect(harness.manager.getPodStatus(uid)).toBeUndefined();
  });

  const ended = { ...container(false), state: { terminated: { exitCode: 0 } } };
  it.each([
    ['whose containers have ended in one patch, with its phase', [ended], 'Succeeded'],
    // The kubelet has refused it, and its containers may run on.
    ['without containers in one patch, and keeps its phase back', [], 'Running'],
  ])('tells of a pod %s', async (_what, containerStatuses, phase) => {
    harness = await createClusterHarness(new TestCluster());
    const pod = await harness.addPod('a');
    harness.manager.setPodStatus(pod, running(true));
    await settle();
    const before = harness.calls.length;
    harness.manager.setPodStatus(pod, { ...running(false), containerStatuses, phase: 'Succeeded' });
    // The worker of the pod has its turn end a few microtasks later.
    for (let turn = 0; turn < 10; turn++) await Promise.resolve();
    harness.terminated.add(pod.metadata.uid ?? '');
    await settle();
    expect((await harness.live('a'))?.status?.phase).toBe(phase);
    expect(harness.calls.slice(before)).toEqual([expect.stringMatching(/^patch a/)]);
  });

  it('deletes a pod that ended long before it was deleted, as soon as the watch tells', async () => {
    harness = await createClusterHarness(new TestCluster());
    const pod = await harness.addPod('a');
    harness.terminated.add(pod.metadata.uid ?? '');
    harness.manager.setPodStatus(pod, { ...running(false), phase: 'Succeeded' });
    harness.manager.terminatePod(pod);
    await settle();
    expect((await harness.live('a'))?.status?.phase).toBe('Succeeded');
    await harness.admin.delete(podResource, { namespace: 'default', name: 'a' });
    await settle();
    expect(await harness.live('a')).toBeUndefined();
  });

  it('tries again when the deletion meets a conflict', async () => {
    harness = await createClusterHarness(new TestCluster());
    const pod = await harness.addPod('a');
    let conflicts = 3;
    harness.disturb = (call) => {
      if (call === 'delete a' && conflicts-- > 0) throw apiError('aborted', 409);
    };
    await harness.admin.delete(podResource, { namespace: 'default', name: 'a' });
    await settle();
    const deleted = (await harness.live('a')) as Pod;
    harness.terminated.add(pod.metadata.uid ?? '');
    harness.manager.setPodStatus(deleted, { ...running(false), phase: 'Succeeded' });
    harness.manager.terminatePod(deleted);
    await harness.cluster.clock.advance(30_000);
    expect(await harness.live('a')).toBeUndefined();
    expect(harness.calls.filter((call) => call === 'delete a')).toHaveLength(4);
  });

  it('leaves a pod of the same name alone that has taken the place', async () => {
    harness = await createClusterHarness(new TestCluster());
    const pod = await harness.addPod('a');
    harness.holdWatch(true);
    await harness.admin.delete(podResource, { namespace: 'default', name: 'a' }, { gracePeriodSeconds: 0 });
    await harness.addPod('a');
    harness.manager.setPodStatus(pod, running(true));
    await settle();
    expect((await harness.live('a'))?.status?.phase).not.toBe('Running');
    expect(harness.manager.getPodStatus(pod.metadata.uid ?? '')).toBeUndefined();
  });

  it('asks no more for a pod that is gone', async () => {
    harness = await createClusterHarness(new TestCluster());
    const pod = await harness.addPod('a');
    await harness.admin.delete(podResource, { namespace: 'default', name: 'a' }, { gracePeriodSeconds: 0 });
    await settle();
    harness.manager.setPodStatus(pod, running(true));
    await harness.cluster.clock.advance(30_000);
    expect(harness.calls).toEqual([]);
  });

  it('sends the status of a static pod to its mirror pod, as soon as there is one', async () => {
    harness = await createClusterHarness(new TestCluster());
    const pod = harness.addStaticPod('s-n1');
    harness.manager.setPodStatus(pod, running(true));
    await harness.cluster.clock.advance(20_000);
    expect(harness.calls).toEqual([]);
    expect(harness.journal.of('status.sent')).toEqual([]);
    await harness.addMirrorPod(pod);
    expect(condition(await harness.live('s-n1'), 'Ready')).toBe('True');
    expect(harness.journal.of('status.sent')).toMatchObject([{ pod: { uid: 'uid-s-n1' }, ready: true }]);
    // A mirror pod that was made again shows the status again.
    await harness.admin.delete(podResource, { namespace: 'default', name: 's-n1' }, { gracePeriodSeconds: 0 });
    await settle();
    await harness.addMirrorPod(pod);
    expect(condition(await harness.live('s-n1'), 'Ready')).toBe('True');
  });

  it('never deletes a mirror pod', async () => {
    harness = await createClusterHarness(new TestCluster());
    const pod = harness.addStaticPod('s-n1');
    await harness.addMirrorPod(pod);
    harness.terminated.add('uid-s-n1');
    harness.manager.setPodStatus(pod, { ...running(false), phase: 'Succeeded' });
    harness.manager.terminatePod(pod);
    await harness.admin.delete(podResource, { namespace: 'default', name: 's-n1' });
    await harness.cluster.clock.advance(20_000);
    expect(harness.calls.filter((call) => call.startsWith('delete'))).toEqual([]);
  });

  it('sends the newest statuses when a server that was away is back, and says so once', async () => {
    harness = await createClusterHarness(new TestCluster());
    const all = await addPods('a', 'b', 'c', 'd', 'e');
    harness.disturb = () => {
      throw apiError('unavailable', 0);
    };
    for (const pod of all) harness.manager.setPodStatus(pod, running(false));
    await harness.cluster.clock.advance(150_000);
    for (const pod of all) harness.manager.setPodStatus(pod, running(true));
    await harness.cluster.clock.advance(150_000);
    // One pod at a time finds out: no more than one call in about ten seconds.
    expect(harness.calls.length).toBeLessThan(60);
    expect(harness.logger.messages('error')).toHaveLength(1);
    harness.calls.length = 0;
    harness.disturb = () => undefined;
    await harness.cluster.clock.advance(20_000);
    expect(harness.calls).toHaveLength(5);
    for (const { metadata } of all) expect(condition(await harness.live(metadata.name ?? ''), 'Ready')).toBe('True');
    expect(harness.logger.messages('info')).toContain('Statuses of pods reach the API server again');
  });

  it('sends at once when the server answers others again, first one to try it', async () => {
    harness = await createClusterHarness(new TestCluster());
    const all = await addPods('a', 'b', 'c');
    harness.disturb = () => {
      throw apiError('unavailable', 0);
    };
    for (const pod of all) harness.manager.setPodStatus(pod, running(true));
    await harness.cluster.clock.advance(150_000);
    harness.calls.length = 0;
    // It listens already, and takes no statuses yet.
    harness.disturb = () => {
      throw apiError('unavailable', 503);
    };
    harness.serverBack();
    await settle();
    expect(harness.calls).toHaveLength(1);
    harness.disturb = () => undefined;
    await harness.cluster.clock.advance(1_000);
    for (const { metadata } of all) expect(condition(await harness.live(metadata.name ?? ''), 'Ready')).toBe('True');
    expect(harness.calls).toHaveLength(4);
    harness.serverBack();
    await settle();
    expect(harness.calls).toHaveLength(4);
  });

  it.each([
    ['409', apiError('aborted', 409)],
    ['429', apiError('resource-exhausted', 429)],
    ['500', apiError('internal', 500)],
  ])('gets over a storm of %s', async (_name, error) => {
    harness = await createClusterHarness(new TestCluster());
    const all = await addPods('a', 'b', 'c');
    let count = 0;
    harness.disturb = () => {
      if (count++ % 5 !== 4) throw error;
    };
    for (const ready of [false, true, false, true]) {
      for (const pod of all) harness.manager.setPodStatus(pod, running(ready));
      await harness.cluster.clock.advance(1_000);
    }
    await harness.cluster.clock.advance(120_000);
    for (const { metadata } of all) expect(condition(await harness.live(metadata.name ?? ''), 'Ready')).toBe('True');
  });

  it('has no more on their way at one time than it may, one per pod, and urgent ones go first', async () => {
    harness = await createClusterHarness(new TestCluster(), { maxConcurrent: 2 });
    const all = await addPods('a', 'b', 'c', 'd');
    const open: (() => void)[] = [];
    harness.disturb = () => new Promise((resolve) => open.push(resolve));
    const names = (): string[] => harness.calls.map((call) => call.split(' ')[1] ?? '');
    for (const pod of all) harness.manager.setPodStatus(pod, running(false));
    await settle();
    expect(names()).toEqual(['a', 'b']);
    harness.manager.setPodStatus(all[0] as Pod, running(true));
    harness.manager.setPodStatus(all[3] as Pod, running(true));
    await settle();
    expect(names()).toEqual(['a', 'b']);
    open.shift()?.();
    await settle();
    open.shift()?.();
    await settle();
    // a and d have become ready: before c.
    expect(names()).toEqual(['a', 'b', 'a', 'd']);
    harness.disturb = () => undefined;
    for (const go of open.splice(0)) go();
    await settle();
    expect(names()).toEqual(['a', 'b', 'a', 'd', 'c']);
  });

  it('tells when statuses are delivered', async () => {
    harness = await createClusterHarness(new TestCluster());
    const pod = await harness.addPod('a');
    const uid = pod.metadata.uid ?? '';
    let go: () => void = () => undefined;
    harness.disturb = () => new Promise((resolve) => (go = resolve));
    harness.manager.setPodStatus(pod, running(true));
    const told: string[] = [];
    const delivered = harness.sender
      .delivered([uid, 'nobody'], new AbortController().signal)
      .then(() => told.push('yes'));
    const stopping = new AbortController();
    const refused = harness.sender.delivered([uid], stopping.signal);
    stopping.abort(new Error('no time'));
    await expect(refused).rejects.toThrow('no time');
    await settle();
    expect(told).toEqual([]);
    harness.disturb = () => undefined;
    go();
    await settle();
    await delivered;
    expect((await harness.live('a'))?.status?.phase).toBe('Running');
  });

  it('writes down only what the API server cannot give back', async () => {
    harness = await createClusterHarness(new TestCluster());
    const pod = await harness.addPod('a');
    const keeps = (): boolean => harness.checkpoints.podUids().includes(pod.metadata.uid ?? '');
    harness.manager.setPodStatus(pod, running(true));
    expect(keeps()).toBe(false);
    harness.manager.setPodStatus(pod, { ...running(false), phase: 'Failed', reason: 'Evicted' });
    expect(keeps()).toBe(true);
    harness.manager.setPodStatus(harness.addStaticPod('s-n1'), running(true));
    expect(harness.checkpoints.podUids()).toContain('uid-s-n1');
  });
});
