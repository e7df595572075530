import { describe, expect, it } from '@jest/globals';
import { podAskingFor } from '@podwright/allocation-interface/contract';
import type { Pod } from '@podwright/kube-types';
import { createBench, type Bench } from '../fixtures/bench.js';

async function admit({ manager }: Bench, pod: Pod): Promise<void> {
  const { stored } = await manager.admitPod(pod);
  await stored;
}

async function metric(bench: Bench, start: string): Promise<string[]> {
  return (await bench.metrics.render()).split('\n').filter((line) => line.startsWith(start));
}

async function deferredBench(): Promise<{ bench: Bench; wish: Pod; other: Pod }> {
  const bench = await createBench();
  const [pod, other] = [podAskingFor('a', '2'), podAskingFor('b', '2')];
  bench.want(pod, other);
  await Promise.all([pod, other].map((each) => admit(bench, each)));
  const wish = podAskingFor('a', '3', {}, 2);
  bench.want(wish, other);
  bench.manager.noticeUpdated(pod, wish);
  await bench.manager.retryPendingResizes('pod_updated');
  return { bench, wish, other };
}

describe('QueueingAllocationManager', () => {
  it('tells in full what it deferred and what it granted', async () => {
    const { bench, wish } = await deferredBench();
    bench.want(wish);
    await bench.manager.retryPendingResizes('pods_removed');
    const resources = '"containers":[{"name":"main","resources":{"requests":{"cpu":"3"}}}],"generation":2';
    expect(bench.messages).toEqual([
      `Pod resize Deferred: {${resources},"error":"Node didn't have enough resource: cpu"}`,
      `Pod resize started: {${resources}}`,
    ]);
  });

  it('counts what was asked for, what waits and what was granted late', async () => {
    const { bench, wish } = await deferredBench();
    expect(await metric(bench, 'kubelet_container_requested_resizes_total{')).toEqual([
      'kubelet_container_requested_resizes_total{operation="increase",requirement="requests",resource="cpu"} 1',
    ]);
    expect(await metric(bench, 'kubelet_pod_pending_resizes{')).toEqual([
      'kubelet_pod_pending_resizes{reason="deferred"} 1',
    ]);
    bench.want(wish);
    await bench.manager.retryPendingResizes('pods_removed');
    expect(await metric(bench, 'kubelet_pod_pending_resizes{')).toEqual([]);
    expect(await metric(bench, 'kubelet_pod_in_progress_resizes ')).toEqual(['kubelet_pod_in_progress_resizes 1']);
    expect(await metric(bench, 'kubelet_pod_deferred_accepted_resizes_total{')).toEqual([
      'kubelet_pod_deferred_accepted_resizes_total{retry_trigger="pods_removed"} 1',
    ]);
  });

  it('counts infeasible resizes by their detail', async () => {
    const bench = await createBench();
    const before = podAskingFor('a', '1');
    await admit(bench, before);
    const wish = podAskingFor('a', '9');
    bench.want(wish);
    bench.manager.noticeUpdated(before, wish);
    await bench.manager.retryPendingResizes('pod_updated');
    expect(await metric(bench, 'kubelet_pod_infeasible_resizes_total{')).toEqual([
      'kubelet_pod_infeasible_resizes_total{reason_detail="insufficient_node_allocatable"} 1',
    ]);
  });

  it('does nothing for an update that changes no resources', async () => {
    const { bench, wish } = await deferredBench();
    const relabelled = { ...wish, metadata: { ...wish.metadata, labels: { a: 'b' } } };
    expect(bench.manager.noticeUpdated(wish, relabelled)).toBe(false);
    expect(bench.manager.hasPendingResize('uid-a')).toBe(true);
  });

  it.each<[string, (pod: Pod) => [Pod, Pod], string | undefined]>([
    ['a pod that ended', (pod) => [pod, { ...pod, status: { phase: 'Succeeded' } }], 'pod_terminated'],
    ['a pod whose containers got less', (pod) => [withStatus(pod, '3'), withStatus(pod, '2')], 'pod_resized'],
    ['a pod that takes as much as before', (pod) => [withStatus(pod, '2'), withStatus(pod, '2')], undefined],
  ])('looks at the status of %s', async (_what, change, trigger) => {
    const { bench, other } = await deferredBench();
    const [before, after] = change(other);
    expect(bench.manager.noticeReconciled(before, after)).toBe(trigger);
    expect(bench.manager.noticeReconciled(undefined, after)).toBeUndefined();
  });

  it('does not look at statuses while nothing waits', async () => {
    const bench = await createBench();
    const pod = podAskingFor('a', '1');
    expect(bench.manager.noticeReconciled(pod, { ...pod, status: { phase: 'Failed' } })).toBeUndefined();
  });

  it('tells nobody of a resize that is deferred as before', async () => {
    const { bench } = await deferredBench();
    const told: string[] = [];
    bench.manager.watch((uid) => told.push(uid));
    await bench.manager.retryPendingResizes('pods_removed');
    expect(told).toEqual([]);
    expect(bench.events).toEqual(['ResizeDeferred a']);
  });

  it('stores nothing and resizes nothing with the gate off', async () => {
    const bench = await createBench({ config: { inPlaceResize: false } });
    const pod = podAskingFor('a', '1');
    await admit(bench, pod);
    expect(bench.allocated.of('uid-a')).toBeUndefined();
    expect(bench.manager.noticeUpdated(pod, podAskingFor('a', '2'))).toBe(false);
    expect(bench.manager.noticeAdded([podAskingFor('a', '2')])).toBe(false);
  });

  it('forgets pods that nobody knows any more', async () => {
    const { bench } = await deferredBench();
    bench.manager.removeOrphans(new Set(['uid-b']));
    await bench.allocated.stop();
    expect(bench.allocated.of('uid-a')).toBeUndefined();
    expect(bench.conditions.of('uid-a')).toEqual([]);
    expect(bench.allocated.of('uid-b')).toBeDefined();
  });
});

function withStatus(pod: Pod, cpu: string): Pod {
  const status = { name: 'main', resources: { requests: { cpu } } };
  return { ...pod, status: { phase: 'Running', containerStatuses: [status as never] } };
}
