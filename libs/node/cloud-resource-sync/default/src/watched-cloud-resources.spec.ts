import { beforeEach, describe, expect, it } from '@jest/globals';
import type { CloudResourceSync } from '@podwright/cloud-resource-sync-interface';
import { describeCloudResourceSyncContract } from '@podwright/cloud-resource-sync-interface/contract';
import type { Node } from '@podwright/kube-types';
import { createMemoryLogger } from '@podwright/logging';
import { VirtualClock } from '@podwright/time';
import { createContractHarness } from './fixtures/contract-harness.js';
import { ShownNode } from './fixtures/shown-node.js';
import { createWatchedCloudResources } from './watched-cloud-resources.module.js';

let clock: VirtualClock;
let logger: ReturnType<typeof createMemoryLogger>;
let shown: ShownNode;

const make = (externalCloudProvider = true, timeoutMs = 120_000): CloudResourceSync =>
  createWatchedCloudResources({ node: shown, clock, logger }, { nodeName: 'n1', externalCloudProvider, timeoutMs });
const taints = [{ key: 'node.cloudprovider.kubernetes.io/uninitialized', value: 'true', effect: 'NoSchedule' }];
const hostname = { type: 'Hostname', address: 'n1' };

beforeEach(() => {
  clock = new VirtualClock();
  logger = createMemoryLogger(0);
  shown = new ShownNode();
});

describeCloudResourceSyncContract('WatchedCloudResources', createContractHarness);

describe('WatchedCloudResources', () => {
  it('takes an address that --node-ip gave for an answer, before the provider has said anything', async () => {
    const addresses = [{ type: 'InternalIP', address: '192.0.2.1' }, hostname];
    shown.set({ spec: { taints }, status: { addresses } });
    const sync = make();
    expect(await sync.nodeAddresses(new AbortController().signal)).toEqual(addresses);
    expect(sync.initialized()).toBe(false);
  });

  it('expects nothing of a provider where there is none', async () => {
    const sync = make(false);
    await sync.start();
    shown.set({ status: { addresses: [hostname] } });
    expect(await sync.nodeAddresses(new AbortController().signal)).toEqual([hostname]);
    await clock.advance(600_000);
    expect([sync.initialized(), logger.entries]).toEqual([true, []]);
    expect([clock.pendingTimers, shown.listeners.size]).toEqual([0, 0]);
  });

  it('tells once when the node is initialized', async () => {
    const sync = make();
    await sync.start();
    shown.set({ spec: { taints } });
    shown.set({ spec: { providerID: 'cloud://1' }, status: { addresses: [hostname] } });
    shown.set({ spec: { providerID: 'cloud://1' }, status: { addresses: [hostname] } });
    await clock.advance(600_000);
    expect(logger.entries).toMatchObject([
      { message: 'The cloud provider has initialized the node', fields: { providerID: 'cloud://1' } },
    ]);
    await sync.stop();
    expect([clock.pendingTimers, shown.listeners.size]).toEqual([0, 0]);
  });

  it.each<[string, Node | undefined, string]>([
    ['a node that nobody registered', undefined, 'was not registered within 120 s'],
    ['a node that nobody initialized', { spec: { taints } }, 'is the cloud controller manager running'],
  ])('tells of %s', async (_name, node, message) => {
    const sync = make();
    await sync.start();
    if (node !== undefined) shown.set(node);
    await clock.advance(120_000);
    expect(logger.messages('warning')).toHaveLength(1);
    expect(logger.messages('warning')[0]).toContain(message);
    await sync.stop();
  });

  it('names the option that is out of range', () => {
    expect(() => make(true, 0)).toThrow('timeoutMs');
  });
});
