import { describe, expect, it } from '@jest/globals';
import { nodes, pods as podResource, type Informer } from '@podwright/kube-client-interface';
import { configMirrorAnnotation, type Node, type Pod } from '@podwright/kube-types';
import { createMemoryLogger } from '@podwright/logging';
import { MemoryOfflineObjects, TestCluster } from '@podwright/test-cluster';
import type { ApiPods } from './api-pods.js';
import { createApiPods } from './api-pods.module.js';

const bound = (name: string, metadata: Pod['metadata'] = {}): Pod => ({
  metadata: { name, namespace: 'default', ...metadata },
  spec: { nodeName: 'n1', containers: [{ name: 'main', image: 'i' }] },
});

describe('saved pods', () => {
  async function world(...names: readonly string[]) {
    const cluster = new TestCluster();
    const { clock } = cluster;
    const [admin, offline, logger] = [cluster.client(), new MemoryOfflineObjects(clock), createMemoryLogger()];
    await admin.create(nodes, { metadata: { name: 'n1' } });
    for (const name of names) await admin.create(podResource, bound(name));
    const sets: string[] = [];
    /** The source and the watch of the Node of a new process. */
    const start = async (): Promise<{ readonly source: ApiPods; readonly node: Informer<Node> }> => {
      const client = cluster.client({ name: 'system:node:n1', groups: ['system:nodes', 'system:authenticated'] });
      const node = client.inform(nodes, { fieldSelector: 'metadata.name=n1' });
      node.start();
      const source = createApiPods({ client, node, clock, logger, offline }, { nodeName: 'n1' });
      await source.open((pods, as = 'current') =>
        sets.push([as, ...pods.map(({ metadata }) => metadata.name ?? '').sort()].join(' ')),
      );
      await clock.advance(1);
      return { source, node };
    };
    const stop = async ({ source, node }: { readonly source: ApiPods; readonly node: Informer<Node> }) => {
      await source.close();
      await node.stop();
    };
    const end = async (process: Parameters<typeof stop>[0]): Promise<void> => {
      await stop(process);
      await cluster.stop();
      expect(clock.pendingTimers).toBe(0);
    };
    const kept = (): readonly string[] => offline.refs('Pod').map(({ name }) => name);
    return { cluster, clock, admin, offline, logger, sets, start, stop, end, kept };
  }

  it('are those that the server shows, without mirror pods, in their newest state', async () => {
    const { clock, admin, offline, start, end, kept } = await world('a', 'b');
    await admin.create(podResource, bound('mirror', { annotations: { [configMirrorAnnotation]: 'x' } }));
    offline.keep({ kind: 'Pod', namespace: 'default', name: 'of old' }, bound('of old'));
    const process = await start();
    expect(kept()).toEqual(['a', 'b']);
    await admin.delete(podResource, { namespace: 'default', name: 'a' }, { gracePeriodSeconds: 0 });
    const body = { status: { phase: 'Succeeded' } };
    const place = { namespace: 'default', name: 'b' };
    await admin.patch(podResource, place, { type: 'merge', body }, { subresource: 'status' });
    await clock.advance(1);
    expect((await offline.list<Pod>('Pod')).map(({ object }) => object.status?.phase)).toEqual(['Succeeded']);
    await end(process);
  });

  it('are delivered when the server does not answer for a while, and replaced by its first list', async () => {
    const { cluster, clock, admin, offline, logger, sets, start, stop, end } = await world('a', 'b');
    await stop(await start());
    cluster.server.stop();
    const process = await start();
    await clock.advance(9_000);
    expect(sets.splice(0)).toEqual(['current a b']);
    await clock.advance(3_000);
    expect(sets.splice(0)).toEqual(['remembered a b']);
    expect([process.source.hasSynced(), process.source.get('default', 'a')]).toEqual([false, undefined]);
    expect(offline.inUse).toEqual(['Pod default/a', 'Pod default/b']);
    expect(logger.messages('warning')).toEqual([
      'The API server cannot be reached: the pods of this node start as they were saved',
    ]);
    cluster.server.start();
    await admin.delete(podResource, { namespace: 'default', name: 'a' }, { gracePeriodSeconds: 0 });
    await clock.advance(60_000);
    expect([sets, offline.inUse]).toEqual([['current b'], []]);
    await end(process);
  });

  it('are delivered when the server goes away between the node and its pods', async () => {
    const { cluster, clock, sets, start, stop, end } = await world('a');
    await stop(await start());
    sets.length = 0;
    cluster.server.faults.add({ type: 'drop' }, { resource: 'pods' }, 1_000);
    const process = await start();
    await clock.advance(15_000);
    expect([process.node.hasSynced(), sets]).toEqual([true, ['remembered a']]);
    await end(process);
  });

  it.each([
    ['refuses', { type: 'status', status: 403, reason: 'Forbidden' }],
    ['is slow', { type: 'delay', delayMs: 20_000 }],
  ] as const)('are not delivered when the server %s', async (_what, fault) => {
    const { cluster, clock, sets, start, stop, end } = await world('a');
    await stop(await start());
    sets.length = 0;
    cluster.server.faults.add(fault, { resource: 'pods' }, 3);
    const process = await start();
    await clock.advance(15_000);
    expect(sets.filter((set) => set.startsWith('remembered'))).toEqual([]);
    await clock.advance(60_000);
    expect(sets[0]).toBe('current a');
    await end(process);
  });

  it('are none on a node that never had any', async () => {
    const { cluster, clock, sets, logger, start, end } = await world();
    cluster.server.stop();
    const process = await start();
    await clock.advance(60_000);
    expect([sets, logger.messages('warning')]).toEqual([[], []]);
    await end(process);
  });
});
