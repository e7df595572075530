import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { describeNodeSourceContract, describeRegisteredNodeContract } from '@podwright/node-status-interface/contract';
import { ReporterBench } from './fixtures/reporter-bench.js';

let bench: ReporterBench;
beforeEach(async () => {
  bench = await ReporterBench.make();
});
afterEach(() => bench.tearDown());

describe('ApiNode', () => {
  it("is what the kubelet would register while there is no Node, then the API server's object", async () => {
    const node = bench.apiNode();
    await node.start();
    await bench.clock.advance(1_000);
    expect(node.getNode()).toMatchObject({
      metadata: { name: 'n1' },
      status: { capacity: { cpu: '4', memory: '8Gi' } },
    });
    expect(node.getNode().metadata?.uid).toBeUndefined();
    const uid = await bench.createNode({ metadata: { labels: { zone: 'a' } } });
    await bench.clock.advance(1_000);
    expect(node.getNode().metadata).toMatchObject({ uid, labels: { zone: 'a' } });
    await bench.deleteNode();
    await bench.clock.advance(1_000);
    expect(node.getNode().metadata?.uid).toBeUndefined();
  });
});

describeNodeSourceContract('ApiNode', async () => {
  await bench.createNode({ metadata: { labels: { 'kubernetes.io/os': 'linux' } } });
  return { source: bench.apiNode(), nodeName: 'n1' };
});

describeRegisteredNodeContract('ApiNode', async () => ({
  registered: bench.apiNode(),
  nodeName: 'n1',
  createNode: () => bench.createNode(),
  labelNode: (name, value) => bench.patchNode({ metadata: { labels: { [name]: value } } }),
  deleteNode: () => bench.deleteNode(),
  setReachable: (reachable) => (bench.cable.reachable = reachable),
  advance: (ms) => bench.clock.advance(ms),
}));
