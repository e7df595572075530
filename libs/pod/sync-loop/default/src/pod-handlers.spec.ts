import { describe, expect, it } from '@jest/globals';
import type { Pod, PodStatus } from '@podwright/kube-types';
import { createWorld } from './fixtures/world.js';

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

  const refusal = { admit: false, reason: 'OutOfcpu', message: "Node didn't have enough resource: cpu" } as const;

  it('fails a pod that is refused, with an event and without a worker', async () => {
    const { handler, updates, steps, statuses } = createWorld(() => ({ admission: { admit: async () => refusal } }));
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
    const { handler, updates, terminating } = createWorld(() => ({ admission: { admit: async () => refusal } }));
    terminating.add('going');
    await handler.handlePodAdditions([
      pod('going'),
      pod('done', { phase: 'Succeeded' }),
      pod('failed', { phase: 'Failed' }),
    ]);
    expect(updates).toEqual(['create going', 'create done', 'create failed']);
  });

  it('shows admission the other pods that are active', async () => {
    const seen: string[][] = [];
    const { handler, inactive } = createWorld(() => ({
      admission: {
        admit: async (_pod, others) => {
          seen.push(others.map(({ metadata }) => metadata.uid ?? ''));
          return { admit: true };
        },
      },
    }));
    inactive.add('ended');
    await handler.handlePodAdditions([pod('runs'), pod('ended'), pod('ending')]);
    await handler.handlePodAdditions([pod('new')]);
    expect(seen.at(-1)).toEqual(['runs', 'ending']);
  });
});

describe('the other handlers', () => {
  it('update: shows the worker the pod with its mirror pod', async () => {
    const { handler, updates } = createWorld();
    handler.handlePodUpdates([staticPod, mirror, pod('a')]);
    expect(updates).toEqual(['update static', 'update static mirror=mirror', 'update a']);
  });

  it('remove: kills, but not before all sources are ready', () => {
    const { handler, updates, setSourcesReady } = createWorld();
    setSourcesReady(false);
    handler.handlePodRemoves([pod('a')]);
    setSourcesReady(true);
    handler.handlePodRemoves([pod('b')]);
    expect(updates).toEqual(['kill b']);
  });

  it('remove: a mirror pod that is gone is news for its static pod', () => {
    const { handler, updates } = createWorld();
    handler.handlePodUpdates([staticPod, mirror]);
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
