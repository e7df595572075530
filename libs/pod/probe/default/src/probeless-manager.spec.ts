import { describe, expect, it } from '@jest/globals';
import type { Pod } from '@podwright/kube-types';
import { createMemoryLogger } from '@podwright/logging';
import { describeProbeManagerContract } from '@podwright/probe-interface/contract';
import { createProbelessManager } from './probeless-manager.js';

describeProbeManagerContract('ProbelessManager', async () => {
  const manager = createProbelessManager({ logger: createMemoryLogger() });
  return { manager, results: manager };
});

describe('ProbelessManager', () => {
  const probe = { httpGet: { port: 80 } };
  const probed: Pod = {
    metadata: { name: 'web', namespace: 'default', uid: 'u1' },
    spec: {
      containers: [{ name: 'app', readinessProbe: probe }, { name: 'plain' }],
      initContainers: [{ name: 'side', restartPolicy: 'Always', startupProbe: probe }],
    },
  };

  it('says once for each pod that its probes are not run', () => {
    const logger = createMemoryLogger();
    const manager = createProbelessManager({ logger });
    manager.addPod(probed);
    manager.addPod(probed);
    manager.addPod({ metadata: { uid: 'u2' }, spec: { containers: [{ name: 'plain' }] } });
    expect(logger.entries.map(({ severity, fields }) => [severity, fields])).toEqual([
      ['warning', { pod: 'web_default(u1)', containers: ['app', 'side'] }],
    ]);
  });

  it.each([
    ['removed', (manager: ReturnType<typeof createProbelessManager>) => manager.removePod(probed)],
    ['cleaned up', (manager: ReturnType<typeof createProbelessManager>) => manager.cleanupPods(new Set())],
  ])('says it again of a pod that was %s and comes back', (_name, forget) => {
    const logger = createMemoryLogger();
    const manager = createProbelessManager({ logger });
    manager.addPod(probed);
    manager.cleanupPods(new Set(['u1']));
    manager.addPod(probed);
    expect(logger.entries).toHaveLength(1);
    forget(manager);
    manager.addPod(probed);
    expect(logger.entries).toHaveLength(2);
  });

  it('adds no list that was not there', () => {
    const manager = createProbelessManager({ logger: createMemoryLogger() });
    expect(manager.withProbeResults(probed, { phase: 'Pending' })).toEqual({ phase: 'Pending' });
  });
});
