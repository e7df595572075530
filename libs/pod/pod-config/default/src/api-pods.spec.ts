import { afterEach, describe, expect, it } from '@jest/globals';
import { KubeletError } from '@podwright/errors';
import { pods as podResource, type KubeClient } from '@podwright/kube-client-interface';
import type { Pod } from '@podwright/kube-types';
import { createMemoryLogger } from '@podwright/logging';
import { TestCluster } from '@podwright/test-cluster';
import type { ApiPodsConfig } from './api-pods-config.js';
import { createApiPods } from './api-pods.module.js';

const bound = (name: string, nodeName = 'n1'): Pod => ({
  metadata: { name, namespace: 'default' },
  spec: { nodeName, containers: [{ name: 'main', image: 'i' }] },
});

function setUp(nodeKnown = true, gates: Partial<ApiPodsConfig> = {}) {
  const cluster = new TestCluster();
  const admin: KubeClient = cluster.client();
  const client = cluster.client({ name: 'system:node:n1', groups: ['system:nodes', 'system:authenticated'] });
  let learn: () => void = () => undefined;
  const synced = nodeKnown ? Promise.resolve() : new Promise<void>((resolve) => (learn = resolve));
  const node = {
    hasSynced: () => nodeKnown,
    synced: (signal: AbortSignal) =>
      Promise.race([
        synced,
        new Promise<void>((_resolve, reject) =>
          signal.addEventListener('abort', () => reject(new KubeletError('closed', { code: 'cancelled' }))),
        ),
      ]),
  };
  const source = createApiPods(
    { client, node, clock: cluster.clock, logger: createMemoryLogger() },
    { nodeName: 'n1', ...gates },
  );
  const sets: string[][] = [];
  const create = (name: string, nodeName?: string): Promise<Pod> => admin.create(podResource, bound(name, nodeName));
  const open = async (): Promise<void> => {
    await source.open((pods) => sets.push(pods.map(({ metadata }) => metadata.name ?? '').sort()));
    await cluster.clock.advance(1);
  };
  return { cluster, admin, source, sets, create, open, learn: () => learn() };
}

let closing: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closing) await close();
  closing = [];
});
function world(...options: Parameters<typeof setUp>): ReturnType<typeof setUp> {
  const made = setUp(...options);
  closing.push(async () => {
    await made.source.close();
    await made.cluster.stop();
    expect(made.cluster.clock.pendingTimers).toBe(0);
  });
  return made;
}

describe('ApiPods', () => {
  it('delivers the full set of its node first, and again after each change', async () => {
    const { admin, cluster, sets, create, open } = world();
    await create('a');
    await create('elsewhere', 'n2');
    await open();
    expect(sets).toEqual([['a']]);
    await create('b');
    await cluster.clock.advance(1);
    await admin.delete(podResource, { namespace: 'default', name: 'a' }, { gracePeriodSeconds: 0 });
    await cluster.clock.advance(1);
    expect(sets).toEqual([['a'], ['a', 'b'], ['a', 'b'], ['b']]);
  });

  it('takes the effect from restart rules whose gate is off', async () => {
    const { admin, cluster, sets, source } = world(true, { containerRestartRules: false });
    const pod = bound('a');
    const containers = pod.spec.containers.map((container) => ({ ...container, restartPolicy: 'Never' as const }));
    await admin.create(podResource, { ...pod, spec: { ...pod.spec, containers } });
    const policies: unknown[] = [];
    await source.open((pods) => policies.push(pods.map(({ spec }) => spec.containers[0]?.restartPolicy)));
    await cluster.clock.advance(1);
    expect(policies).toEqual([[undefined]]);
    expect(sets).toEqual([]);
  });

  it('shows that a pod has no grace before it shows that the pod is gone', async () => {
    const { admin, cluster, source } = world();
    await admin.create(podResource, bound('a'));
    const graces: (number | undefined)[] = [];
    await source.open((pods) => graces.push(...pods.map(({ metadata }) => metadata.deletionGracePeriodSeconds)));
    await cluster.clock.advance(1);
    await admin.delete(podResource, { namespace: 'default', name: 'a' }, { gracePeriodSeconds: 0 });
    await cluster.clock.advance(1);
    expect(graces).toEqual([undefined, 0]);
  });

  it('delivers an empty set: then it is known that there are no pods', async () => {
    const { sets, open } = world();
    await open();
    expect(sets).toEqual([[]]);
  });

  it('waits for the node', async () => {
    const { cluster, source, sets, create, open, learn } = world(false);
    await create('a');
    await open();
    await cluster.clock.advance(60_000);
    expect([sets, source.hasSynced()]).toEqual([[], false]);
    learn();
    await cluster.clock.advance(1);
    expect([sets, source.hasSynced()]).toEqual([[['a']], true]);
  });

  it('stops waiting for the node when it is closed', async () => {
    const { source, sets, open, learn } = world(false);
    await open();
    await source.close();
    learn();
    expect(sets).toEqual([]);
  });

  it('shows the newest state of each object, before it is delivered, and tells of it', async () => {
    const { admin, cluster, source, create, open } = world();
    await open();
    const told: (readonly [string | undefined, boolean])[] = [];
    source.watch((pod) => {
      const { namespace = '', name = '', resourceVersion } = pod.metadata;
      told.push([resourceVersion, source.get(namespace, name) === pod]);
    });
    const created = await create('a');
    await cluster.clock.advance(1);
    const patched = await admin.patch(
      podResource,
      { namespace: 'default', name: 'a' },
      { type: 'merge', body: { status: { phase: 'Running' } } },
      { subresource: 'status' },
    );
    await cluster.clock.advance(1);
    expect(told).toEqual([
      [created.metadata.resourceVersion, true],
      [patched.metadata.resourceVersion, true],
    ]);
    expect(source.get('default', 'nobody')).toBeUndefined();
  });
});
