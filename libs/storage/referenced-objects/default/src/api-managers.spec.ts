import { describe, expect, it } from '@jest/globals';
import { secrets } from '@podwright/kube-client-interface';
import {
  describeConfigMapManagerContract,
  describeSecretManagerContract,
} from '@podwright/referenced-objects-interface/contract';
import { TestCluster } from '@podwright/test-cluster';
import { createApiConfigMapManager, createApiSecretManager } from './api-objects.module.js';
import { createConfigMapHarness, createSecretHarness } from './fixtures/contract-harness.js';
import { ObjectHarness } from './fixtures/object-harness.js';

const strategies = ['Watch', 'Cache', 'Get'] as const;

describe.each(strategies)('strategy %s', (strategy) => {
  describeSecretManagerContract('ApiSecretManager', () => createSecretHarness(strategy));
  describeConfigMapManagerContract('ApiConfigMapManager', () => createConfigMapHarness(strategy));

  it('keeps nothing that no pod can see, and leaves nothing behind', async () => {
    const harness = new ObjectHarness(new TestCluster());
    const manager = createApiSecretManager(harness.deps, { strategy });
    await manager.start();
    const metadata = { namespace: 'default', name: 'key', annotations: { long: 'text' }, labels: { a: 'b' } };
    await harness.put(secrets, { metadata, type: 'Opaque', data: { a: 'YQ==' } });
    manager.registerPod({
      metadata: { name: 'web', namespace: 'default', uid: 'u1' },
      spec: { containers: [], imagePullSecrets: [{ name: 'key' }] },
    });
    const found = await manager.get('default', 'key');
    expect(found).toMatchObject({ type: 'Opaque', data: { a: 'YQ==' } });
    expect(Object.keys(found.metadata ?? {}).sort()).toEqual(['name', 'namespace', 'resourceVersion', 'uid']);
    await manager.stop();
    await manager.stop();
    await harness.cluster.stop();
    expect(harness.cluster.clock.pendingTimers).toBe(0);
  });
});

it('names the option that is out of range', () => {
  const { deps } = new ObjectHarness(new TestCluster());
  expect(() => createApiSecretManager(deps, { syncFrequencyMs: -1 })).toThrow('syncFrequencyMs');
  expect(() => createApiConfigMapManager(deps, { syncFrequencyMs: -1 })).toThrow('syncFrequencyMs');
});
