import { afterEach, describe, expect, it } from '@jest/globals';
import { configMaps, pods, type InformerChange } from '@podwright/kube-client-interface';
import type { ConfigMap } from '@podwright/kube-types';
import { TestCluster } from './test-cluster.js';

describe('TestCluster', () => {
  const clusters: TestCluster[] = [];
  const cluster = (): TestCluster => {
    const made = new TestCluster();
    clusters.push(made);
    return made;
  };
  afterEach(async () => {
    for (const { stop } of clusters.splice(0).map((each) => ({ stop: () => each.stop() }))) await stop();
  });

  it('answers calls without time going on', async () => {
    const client = cluster().client();
    const created = await client.create(configMaps, {
      metadata: { namespace: 'default', name: 'a' },
      data: { k: 'v' },
    });
    expect(created.metadata?.uid).toBeDefined();
    expect(await client.get(configMaps, { namespace: 'default', name: 'a' })).toEqual(created);
    await expect(client.get(pods, { namespace: 'default', name: 'x' })).rejects.toThrow('pods "x" not found');
  });

  it('keeps an informer fresh, and its clock is at rest after the stop', async () => {
    const { clock, ...rest } = cluster();
    const made = clusters[0] as TestCluster;
    expect(rest).toBeDefined();
    const client = made.client();
    await client.create(configMaps, { metadata: { namespace: 'default', name: 'a' } });
    const informer = client.inform(configMaps, { namespace: 'default' });
    const seen: string[] = [];
    informer.watch((change: InformerChange<ConfigMap>) => {
      seen.push(change.type === 'replaced' ? 'replaced' : `${change.type} ${change.object.metadata?.name}`);
    });
    informer.start();
    await clock.runUntil(() => informer.hasSynced(), 1_000);
    await client.create(configMaps, { metadata: { namespace: 'default', name: 'b' } });
    await client.delete(configMaps, { namespace: 'default', name: 'a' });
    await clock.advance(10);
    expect(seen).toEqual(expect.arrayContaining(['added a', 'replaced', 'added b', 'deleted a']));
    await clock.advance(60 * 60_000);
    expect(made.logger.messages('error')).toEqual([]);
    expect(made.logger.messages('warning')).toEqual([]);
    await made.stop();
    expect(clock.pendingTimers).toBe(0);
  });
});
