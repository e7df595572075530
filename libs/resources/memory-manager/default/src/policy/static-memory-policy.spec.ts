import { expect, it } from '@jest/globals';
import type { Container, Pod } from '@podwright/kube-types';
import { createMetricsRegistry } from '@podwright/metrics';
import { MemoryManagerMetrics } from '../memory-manager-metrics.js';
import { unusedMemory } from '../state/machine-memory.js';
import { MemoryState } from '../state/memory-state.js';
import { StaticMemoryPolicy } from './static-memory-policy.js';

const exclusive = (name: string, memory: string): Container => ({
  name,
  resources: { requests: { cpu: '1', memory }, limits: { cpu: '1', memory } },
});

it('counts the pod, its init containers and those with memory of their own as requests', async () => {
  const registry = createMetricsRegistry();
  const nodes = [{ id: 0, memoryBytes: 2 ** 30, hugePages: [], cores: [] }];
  const policy = new StaticMemoryPolicy(
    {
      state: new MemoryState(),
      unused: () => unusedMemory({ nodes, cpuCount: 4, socketCount: 1 }, new Map()),
      affinity: { affinityOf: () => ({ preferred: false }) },
      metrics: new MemoryManagerMetrics(registry, true),
    },
    { podLevelResourceManagers: true },
  );
  const amounts = { cpu: '4', memory: '500Mi' };
  const pod: Pod = {
    metadata: { name: 'p', namespace: 'n', uid: 'u' },
    spec: {
      resources: { requests: amounts, limits: amounts },
      initContainers: [{ name: 'shares' }, exclusive('own', '100Mi'), { name: 'sidecar', restartPolicy: 'Always' }],
      containers: [exclusive('app', '300Mi'), { name: 'rest' }],
    },
  };
  policy.allocatePod(pod);
  const families = [...(await registry.gather())];
  const requests = families.find(({ name }) => name === 'kubelet_memory_manager_pinning_requests_total');
  expect([...(requests?.points ?? [])]).toEqual([{ labels: [], value: 5 }]);
});
