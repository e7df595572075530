import { expect, it } from '@jest/globals';
import { createMetricsRegistry } from '@podwright/metrics';
import { VirtualClock } from '@podwright/time';
import { DeviceInventory } from '../devices/device-inventory.js';
import { DeviceMetrics } from '../plugins/device-metrics.js';
import type { DevicePluginClient } from '../plugins/device-plugin-client.js';
import { DeviceAllocations } from './device-allocations.js';
import { DeviceAllocator } from './device-allocator.js';

const resource = 'example.com/gpu';

it("says of an answer without containers what upstream says, and keeps none of the plugin's devices", async () => {
  const inventory = new DeviceInventory();
  inventory.replace(resource, [{ id: 'a', health: 'Healthy', numaNodes: [] }]);
  const allocations = new DeviceAllocations();
  const client = { allocate: async () => undefined } as unknown as DevicePluginClient;
  const allocator = new DeviceAllocator({
    ...{ inventory, allocations, clock: new VirtualClock(), metrics: new DeviceMetrics(createMetricsRegistry()) },
    endpoints: { get: () => ({ client, options: undefined, stoppedAtMs: undefined }) },
    affinityOf: () => undefined,
    ranBefore: () => false,
  });
  const request = { podUid: 'p', container: 'main', resource, count: 1, isInit: false, reusable: new Set<string>() };
  await expect(allocator.allocate(request, new AbortController().signal)).rejects.toMatchObject({
    message: 'no containers return in allocation response ',
  });
  expect([...allocations.held(resource)]).toEqual([]);
});
