import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { MemoryOfflineObjects } from '@podwright/test-cluster';
import { ReporterHarness } from './fixtures/reporter-harness.js';

let harness: ReporterHarness;
beforeEach(async () => {
  harness = await ReporterHarness.make();
});
afterEach(() => harness.tearDown());

describe('ApiNode', () => {
  it("is what the kubelet would register while there is no Node, then the API server's object", async () => {
    const node = harness.apiNode();
    await node.start();
    await harness.clock.advance(1_000);
    expect(node.getNode()).toMatchObject({
      metadata: { name: 'n1' },
      status: { capacity: { cpu: '4', memory: '8Gi' } },
    });
    expect(node.getNode().metadata?.uid).toBeUndefined();
    const uid = await harness.createNode({ metadata: { labels: { zone: 'a' } } });
    await harness.clock.advance(1_000);
    expect(node.getNode().metadata).toMatchObject({ uid, labels: { zone: 'a' } });
    await harness.deleteNode();
    await harness.clock.advance(1_000);
    expect(node.getNode().metadata?.uid).toBeUndefined();
  });

  it('has what the server knew of it while the server is away, and its own machine', async () => {
    const offline = new MemoryOfflineObjects(harness.clock);
    const first = harness.apiNode(offline);
    await first.start();
    const taints = [{ key: 'only', value: 'here', effect: 'NoSchedule' }];
    const status = {
      capacity: { 'example.com/gpu': '2', cpu: '64' },
      allocatable: { 'example.com/gpu': '1', cpu: '64' },
      addresses: [{ type: 'InternalIP', address: '192.0.2.99' }],
    };
    await harness.createNode({ metadata: { labels: { zone: 'a' } }, spec: { taints }, status });
    await harness.clock.advance(1_000);
    await first.stop();
    harness.cluster.server.stop();
    const node = harness.apiNode(offline);
    await node.start();
    expect(node.getNode()).toMatchObject({
      metadata: { name: 'n1', labels: { zone: 'a', 'kubernetes.io/os': 'linux' } },
      spec: { taints },
      status: {
        capacity: { 'example.com/gpu': '2', cpu: '4' },
        allocatable: { 'example.com/gpu': '1', cpu: '4' },
        addresses: [{ type: 'InternalIP', address: '192.0.2.7' }, { type: 'Hostname' }],
      },
    });
    expect(node.getNode()).toBe(node.getNode());
    expect([node.current(), node.hasSynced(), offline.inUse]).toEqual([undefined, false, []]);
    await harness.clock.advance(12_000);
    expect(offline.inUse).toEqual(['Node /n1']);
    harness.cluster.server.start();
    await harness.deleteNode();
    await harness.clock.advance(60_000);
    expect(node.getNode().metadata?.labels).not.toHaveProperty('zone');
    expect(offline.inUse).toEqual([]);
  });
});
