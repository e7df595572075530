import { describe, expect, it } from '@jest/globals';
import { describeConfigMapManagerContract } from '@podwright/configmap-interface/contract';
import { configMaps, secrets } from '@podwright/kube-client-interface';
import { describeSecretManagerContract } from '@podwright/secret-interface/contract';
import { TestCluster } from '@podwright/test-cluster';
import { createApiConfigMapManager } from './api-configmap-manager.js';
import { createApiSecretManager } from './api-secret-manager.js';
import { ObjectBench } from './fixtures/object-bench.js';

const strategies = ['Watch', 'Cache', 'Get'] as const;

describe.each(strategies)('strategy %s', (strategy) => {
  describeSecretManagerContract('ApiSecretManager', async () => {
    const bench = new ObjectBench(new TestCluster());
    const manager = createApiSecretManager(bench.deps, { strategy });
    await manager.start();
    return {
      manager,
      put: (object) => bench.put(secrets, object),
      passTime: () => bench.pass(90_000),
    };
  });

  describeConfigMapManagerContract('ApiConfigMapManager', async () => {
    const bench = new ObjectBench(new TestCluster());
    const manager = createApiConfigMapManager(bench.deps, { strategy });
    await manager.start();
    return {
      manager,
      put: (object) => bench.put(configMaps, object),
      passTime: () => bench.pass(90_000),
    };
  });

  it('keeps nothing that no pod can see, and leaves nothing behind', async () => {
    const bench = new ObjectBench(new TestCluster());
    const manager = createApiSecretManager(bench.deps, { strategy });
    await manager.start();
    const metadata = { namespace: 'default', name: 'key', annotations: { long: 'text' }, labels: { a: 'b' } };
    await bench.put(secrets, { metadata, type: 'Opaque', data: { a: 'YQ==' } });
    manager.registerPod({
      metadata: { name: 'web', namespace: 'default', uid: 'u1' },
      spec: { containers: [], imagePullSecrets: [{ name: 'key' }] },
    });
    const found = await manager.get('default', 'key');
    expect(found).toMatchObject({ type: 'Opaque', data: { a: 'YQ==' } });
    expect(Object.keys(found.metadata ?? {}).sort()).toEqual(['name', 'namespace', 'resourceVersion', 'uid']);
    await manager.stop();
    await manager.stop();
    await bench.cluster.stop();
    expect(bench.cluster.clock.pendingTimers).toBe(0);
  });
});

it('names the option that is out of range', () => {
  const { deps } = new ObjectBench(new TestCluster());
  expect(() => createApiSecretManager(deps, { syncFrequencyMs: -1 })).toThrow('syncFrequencyMs');
  expect(() => createApiConfigMapManager(deps, { syncFrequencyMs: -1 })).toThrow('syncFrequencyMs');
});
