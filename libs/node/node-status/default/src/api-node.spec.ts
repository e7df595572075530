import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
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
});
