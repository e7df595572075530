import { describe, expect, it } from '@jest/globals';
import type { Pod, PodStatus } from '@podwright/kube-types';
import type { SyncHandler } from '@podwright/sync-loop-interface';
import { createFakeAllocations, refusingAllocations } from './fixtures/fake-allocations.js';
import { createWorld, defaults } from './fixtures/world.js';
import type { SyncLoopNeeds } from './sync-loop-needs.js';

const pod = (uid: string, status?: PodStatus, metadata: Pod['metadata'] = {}): Pod => ({
  metadata: { name: uid, namespace: 'default', uid, ...metadata },
  spec: { containers: [{ name: 'a' }] },
  ...(status && { status }),
});
const mirror = pod('mirror', undefined, { name: 'static', annotations: { 'kubernetes.io/config.mirror': 'hash' } });
const staticPod = pod('static', undefined, { annotations: { 'kubernetes.io/config.source': 'file' } });

describe('handlePodAdditions', () => {
  it('takes the oldest first and keeps the order of equals', async () => {
    const { handler, updates } = createWorld();
    const at = (uid: string, creationTimestamp: string) => pod(uid, undefined, { creationTimestamp });
    await handler.handlePodAdditions([
      at('b', '2026-01-02T00:00:00Z'),
      at('c', '2026-01-02T00:00:00Z'),
      at('a', '2026-01-01T00:00:00Z'),
    ]);
    expect(updates).toEqual(['create a', 'create b', 'create c']);
  });

  it('shows a mirror pod to the worker of its static pod alone', async () => {
    const { handler, updates } = createWorld();
    await handler.handlePodAdditions([mirror]);
    expect(updates).toEqual([]);
    await handler.handlePodAdditions([staticPod]);
    await handler.handlePodAdditions([mirror]);
    expect(updates).toEqual(['create static mirror=mirror', 'update static mirror=mirror']);
  });

  it('requests certificates for pods, but not for mirror pods, and forgets those of removed pods', async () => {
    const steps: string[] = [];
    const { handler } = createWorld(() => ({
      podCertificates: {
        trackPod: ({ metadata }) => void steps.push(`track ${metadata.uid}`),
        forgetPod: (uid) => void steps.push(`forget ${uid}`),
      },
    }));
    await handler.handlePodAdditions([mirror, pod('a')]);
    await handler.handlePodUpdates([pod('a')]);
    handler.handlePodRemoves([pod('a')]);
    expect(steps).toEqual(['track a', 'forget a']);
  });

  const refusal = { reason: 'OutOfcpu', message: "Node didn't have enough resource: cpu" } as const;

  it('fails a pod that is refused, with an event and without a worker', async () => {
    const { handler, updates, steps, statuses } = createWorld(() => ({ allocations: refusingAllocations(refusal) }));
    await handler.handlePodAdditions([pod('a', { qosClass: 'Burstable' })]);
    expect(updates).toEqual([]);
    expect(steps).toEqual(['add a', `event Pod Warning OutOfcpu: ${refusal.message}`]);
    expect(statuses.get('a')).toEqual({
      phase: 'Failed',
      reason: 'OutOfcpu',
      message: `Pod was rejected: ${refusal.message}`,
      qosClass: 'Burstable',
    });
  });

  it('does not ask for pods that are on their way out or have ended', async () => {
    const { handler, updates, terminating } = createWorld(() => ({ allocations: refusingAllocations(refusal) }));
    terminating.add('going');
    await handler.handlePodAdditions([
      pod('going'),
      pod('done', { phase: 'Succeeded' }),
      pod('failed', { phase: 'Failed' }),
    ]);
    expect(updates).toEqual(['create going', 'create done', 'create failed']);
  });

  it('starts a pod when what it was granted is on the disk, and judges the next one meanwhile', async () => {
    const stored = new Map<string, () => void>();
    const asked: string[] = [];
    const { handler, updates } = createWorld(() => ({
      allocations: createFakeAllocations([], {
        admitPod: async ({ metadata }) => {
          asked.push(metadata.uid ?? '');
          const written = new Promise<void>((resolve) => stored.set(metadata.uid ?? '', resolve));
          return { result: { admit: true }, stored: written };
        },
      }),
    }));
    const handling = handler.handlePodAdditions([pod('a'), pod('b')]);
    while (asked.length < 2) await new Promise((resolve) => setImmediate(resolve));
    expect(updates).toEqual([]);
    stored.get('b')?.();
    while (updates.length < 1) await new Promise((resolve) => setImmediate(resolve));
    expect(updates).toEqual(['create b']);
    stored.get('a')?.();
    await handling;
    expect(updates).toEqual(['create b', 'create a']);
  });

  it('tries resizes that were asked for while no kubelet ran, once all pods of the batch are there', async () => {
    const noticed: string[][] = [];
    const steps: string[] = [];
    const world = createWorld(() => ({
      allocations: createFakeAllocations(steps, {
        noticeAdded: (pods) => {
          noticed.push(pods.map(({ metadata }) => metadata.uid ?? ''));
          return true;
        },
      }),
    }));
    await world.handler.handlePodAdditions([pod('a'), mirror, pod('b')]);
    expect(noticed).toEqual([['a', 'b']]);
    expect(steps).toEqual(['retry pods_added']);
  });

  it('shows workers what a pod was granted', async () => {
    const shown: (string | undefined)[] = [];
    const { handler } = createWorld(() => ({
      allocated: { withAllocation: (given) => ({ ...given, metadata: { ...given.metadata, uid: 'granted' } }) },
      workers: { updatePod: ({ pod: given }) => void shown.push(given?.metadata.uid) } as SyncLoopNeeds['workers'],
    }));
    await handler.handlePodAdditions([pod('a')]);
    await handler.handlePodUpdates([pod('a')]);
    handler.handlePodSyncs([pod('a')]);
    expect(shown).toEqual(['granted', 'granted', 'granted']);
  });

  it.each<[string, (handler: SyncHandler) => Promise<void> | void, string[]]>([
    ['an update that resizes', (handler) => handler.handlePodUpdates([pod('a')]), ['retry pod_updated']],
    ['a status that makes room', (handler) => handler.handlePodReconcile([pod('a')]), ['retry pod_resized']],
    ['a removal', (handler) => handler.handlePodRemoves([pod('a')]), ['forget allocation a', 'retry pods_removed']],
  ])('tries waiting resizes after %s', async (_what, act, expected) => {
    const steps: string[] = [];
    const world = createWorld(() => ({
      allocations: createFakeAllocations(steps, {
        noticeUpdated: () => true,
        noticeReconciled: () => 'pod_resized',
      }),
    }));
    await act(world.handler);
    expect(steps).toEqual(expected);
  });

  it('shows a worker the update that resizes a pod only once the resize is decided', async () => {
    let decide = (): void => undefined;
    const decided = new Promise<void>((resolve) => (decide = resolve));
    const { handler, updates } = createWorld(() => ({
      allocations: createFakeAllocations([], {
        noticeUpdated: (_old, { metadata }) => metadata.uid === 'resized',
        retryPendingResizes: () => decided,
      }),
    }));
    const handled = handler.handlePodUpdates([pod('resized'), pod('other')]);
    expect(updates).toEqual(['update other']);
    decide();
    await handled;
    expect(updates).toEqual(['update other', 'update resized']);
  });
});

describe('the other handlers', () => {
  it('update: shows the worker the pod with its mirror pod', async () => {
    const { handler, updates } = createWorld();
    await handler.handlePodUpdates([staticPod, mirror, pod('a')]);
    expect(updates).toEqual(['update static', 'update static mirror=mirror', 'update a']);
  });

  it.each([
    [true, ['Warning FailedNodeDeclaredFeaturesCheck']],
    [false, []],
  ])('update: tells features that the node lacks, with the gate (%s)', async (nodeDeclaredFeatures, expected) => {
    const { handler, events, steps, updates } = createWorld(undefined, { ...defaults, nodeDeclaredFeatures });
    const before = pod('a');
    const initContainers = [{ name: 'i', resources: { requests: { cpu: '1' } } }];
    await handler.handlePodAdditions([{ ...before, spec: { ...before.spec, initContainers: [{ name: 'i' }] } }]);
    const after = { ...before, spec: { ...before.spec, initContainers, resources: { requests: { cpu: '2' } } } };
    await handler.handlePodUpdates([after]);
    expect(events).toEqual(expected);
    const told = steps.filter((step) => step.startsWith('event '));
    expect(told).toEqual(
      expected.map(
        (event) =>
          `event Pod ${event}: Pod requires node features that are not available: InPlacePodLevelResourcesVerticalScaling`,
      ),
    );
    expect(updates).toEqual(['create a', 'update a']);
  });

  it('remove: kills, but not before all sources are ready', () => {
    const { handler, updates, setSourcesReady } = createWorld();
    setSourcesReady(false);
    handler.handlePodRemoves([pod('a')]);
    setSourcesReady(true);
    handler.handlePodRemoves([pod('b')]);
    expect(updates).toEqual(['kill b']);
  });

  it('reconcile: nothing happens to a static pod because of what its mirror pod shows', async () => {
    const { handler, updates, steps } = createWorld();
    await handler.handlePodUpdates([staticPod, mirror]);
    const before = updates.length;
    const conditions = [{ type: 'Ready', status: 'False' }];
    const spec = { ...mirror.spec, readinessGates: [{ conditionType: 'example.com/gate' }] };
    handler.handlePodReconcile([{ ...mirror, spec, status: { phase: 'Failed', reason: 'Evicted', conditions } }]);
    expect(updates).toHaveLength(before);
    expect(steps.filter((step) => step.startsWith('gc'))).toEqual([]);
  });

  it('remove: a mirror pod that is gone is news for its static pod', async () => {
    const { handler, updates } = createWorld();
    await handler.handlePodUpdates([staticPod, mirror]);
    handler.handlePodRemoves([mirror]);
    expect(updates.at(-1)).toBe('update static');
  });

  it('reconcile: removes the dead containers of an evicted pod only', () => {
    const { handler, steps } = createWorld();
    handler.handlePodReconcile([
      pod('a', { phase: 'Failed', reason: 'Evicted' }),
      pod('b', { phase: 'Failed' }),
      pod('c', { phase: 'Running', reason: 'Evicted' }),
    ]);
    expect(steps).toEqual(['gc a {"all":true}']);
  });

  it('reconcile: syncs a pod whose readiness gate somebody has changed', () => {
    const { handler, updates } = createWorld();
    const status: PodStatus = {
      containerStatuses: [{ name: 'a', ready: true, restartCount: 0, image: '', imageID: '' }],
      conditions: [
        { type: 'x', status: 'True' },
        { type: 'Ready', status: 'False' },
      ],
    };
    const gated: Pod = {
      ...pod('a', status),
      spec: { containers: [{ name: 'a' }], readinessGates: [{ conditionType: 'x' }] },
    };
    handler.handlePodReconcile([gated, pod('b', status)]);
    expect(updates).toEqual(['sync a']);
  });

  it('sync: tells the worker', () => {
    const { handler, updates } = createWorld();
    handler.handlePodSyncs([pod('a')]);
    expect(updates).toEqual(['sync a']);
  });
});
