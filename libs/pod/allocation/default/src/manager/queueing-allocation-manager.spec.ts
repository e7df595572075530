import { describe, expect, it } from '@jest/globals';
import { podAskingFor } from '@podwright/allocation-interface/contract';
import type { Pod } from '@podwright/kube-types';
import { createAllocationHarness, type AllocationHarness } from '../fixtures/allocation-harness.js';

async function admit({ manager }: AllocationHarness, pod: Pod): Promise<void> {
  const { stored } = await manager.admitPod(pod);
  await stored;
}

async function metric(harness: AllocationHarness, start: string): Promise<string[]> {
  return (await harness.metrics.render()).split('\n').filter((line) => line.startsWith(start));
}

async function deferredHarness(): Promise<{ harness: AllocationHarness; wish: Pod; other: Pod }> {
  const harness = await createAllocationHarness();
  const [pod, other] = [podAskingFor('a', '2'), podAskingFor('b', '2')];
  harness.want(pod, other);
  await Promise.all([pod, other].map((each) => admit(harness, each)));
  const wish = podAskingFor('a', '3', {}, 2);
  harness.want(wish, other);
  harness.manager.noticeUpdated(pod, wish);
  await harness.manager.retryPendingResizes('pod_updated');
  return { harness, wish, other };
}

describe('QueueingAllocationManager', () => {
  it('tells in full what it deferred and what it granted', async () => {
    const { harness, wish } = await deferredHarness();
    harness.want(wish);
    await harness.manager.retryPendingResizes('pods_removed');
    const resources = '"containers":[{"name":"main","resources":{"requests":{"cpu":"3"}}}],"generation":2';
    expect(harness.messages).toEqual([
      `Pod resize OutOfcpu: {${resources},"error":"Node didn't have enough resource: cpu"}`,
      `Pod resize started: {${resources}}`,
    ]);
  });

  it('counts what was asked for, what waits and what was granted late', async () => {
    const { harness, wish } = await deferredHarness();
    expect(await metric(harness, 'kubelet_container_requested_resizes_total{')).toEqual([
      'kubelet_container_requested_resizes_total{operation="increase",requirement="requests",resource="cpu"} 1',
    ]);
    expect(await metric(harness, 'kubelet_pod_pending_resizes{')).toEqual([
      'kubelet_pod_pending_resizes{reason="deferred"} 1',
    ]);
    harness.want(wish);
    await harness.manager.retryPendingResizes('pods_removed');
    expect(await metric(harness, 'kubelet_pod_pending_resizes{')).toEqual([]);
    expect(await metric(harness, 'kubelet_pod_in_progress_resizes ')).toEqual(['kubelet_pod_in_progress_resizes 1']);
    expect(await metric(harness, 'kubelet_pod_deferred_accepted_resizes_total{')).toEqual([
      'kubelet_pod_deferred_accepted_resizes_total{retry_trigger="pods_removed"} 1',
    ]);
  });

  it('counts infeasible resizes by their detail, and does not queue them', async () => {
    const harness = await createAllocationHarness({ config: { cpuManagerPolicy: 'static' } });
    const guaranteed = (cpu: string): Pod => {
      const sizes = { cpu, memory: '1Gi' };
      return podAskingFor('a', cpu, { containers: [{ name: 'main', resources: { requests: sizes, limits: sizes } }] });
    };
    const [before, wish] = [guaranteed('1'), guaranteed('2')];
    await admit(harness, before);
    harness.want(wish);
    harness.manager.noticeUpdated(before, wish);
    await harness.manager.retryPendingResizes('pod_updated');
    expect(await metric(harness, 'kubelet_pod_infeasible_resizes_total{')).toEqual([
      'kubelet_pod_infeasible_resizes_total{reason_detail="guaranteed_pod_cpu_manager_static_policy"} 1',
    ]);
    expect(harness.conditions.of('uid-a')).toMatchObject([{ type: 'PodResizePending', reason: 'Infeasible' }]);
    expect(harness.events).toEqual(['ResizeInfeasible a']);
    expect(harness.manager.hasPendingResize('uid-a')).toBe(false);
  });

  it('does nothing for an update that changes no resources', async () => {
    const { harness, wish } = await deferredHarness();
    const relabelled = { ...wish, metadata: { ...wish.metadata, labels: { a: 'b' } } };
    expect(harness.manager.noticeUpdated(wish, relabelled)).toBe(false);
    expect(harness.manager.hasPendingResize('uid-a')).toBe(true);
  });

  it.each<[string, (pod: Pod) => [Pod, Pod], string | undefined]>([
    ['a pod that ended', (pod) => [pod, { ...pod, status: { phase: 'Succeeded' } }], 'pod_terminated'],
    ['a pod whose containers got less', (pod) => [withStatus(pod, '3'), withStatus(pod, '2')], 'pod_resized'],
    ['a pod that takes as much as before', (pod) => [withStatus(pod, '2'), withStatus(pod, '2')], undefined],
  ])('looks at the status of %s', async (_what, change, trigger) => {
    const { harness, other } = await deferredHarness();
    const [before, after] = change(other);
    expect(harness.manager.noticeReconciled(before, after)).toBe(trigger);
    expect(harness.manager.noticeReconciled(undefined, after)).toBeUndefined();
  });

  it('does not look at statuses while nothing waits', async () => {
    const harness = await createAllocationHarness();
    const pod = podAskingFor('a', '1');
    expect(harness.manager.noticeReconciled(pod, { ...pod, status: { phase: 'Failed' } })).toBeUndefined();
  });

  it('tells nobody of a resize that is deferred as before', async () => {
    const { harness } = await deferredHarness();
    const told: string[] = [];
    harness.manager.watch((uid) => told.push(uid));
    await harness.manager.retryPendingResizes('pods_removed');
    expect(told).toEqual([]);
    expect(harness.events).toEqual(['ResizeDeferred a']);
  });

  it('stores nothing and resizes nothing with the gate off', async () => {
    const harness = await createAllocationHarness({ config: { inPlaceResize: false } });
    const pod = podAskingFor('a', '1');
    await admit(harness, pod);
    expect(harness.allocated.of('uid-a')).toBeUndefined();
    expect(harness.manager.noticeUpdated(pod, podAskingFor('a', '2'))).toBe(false);
    expect(harness.manager.noticeAdded([podAskingFor('a', '2')])).toBe(false);
  });

  it('forgets pods that nobody knows any more', async () => {
    const { harness } = await deferredHarness();
    harness.manager.removeOrphans(new Set(['uid-b']));
    await harness.allocated.stop();
    expect(harness.allocated.of('uid-a')).toBeUndefined();
    expect(harness.conditions.of('uid-a')).toEqual([]);
    expect(harness.allocated.of('uid-b')).toBeDefined();
  });
});

function withStatus(pod: Pod, cpu: string): Pod {
  const status = { name: 'main', resources: { requests: { cpu } } };
  return { ...pod, status: { phase: 'Running', containerStatuses: [status as never] } };
}
