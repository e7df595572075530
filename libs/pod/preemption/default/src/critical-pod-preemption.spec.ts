import { describe, expect, it } from '@jest/globals';
import type { Pod } from '@podwright/kube-types';
import { describePreemptionContract } from '@podwright/preemption-interface/contract';
import { harness } from './fixtures/preemption-harness.js';

describePreemptionContract('CriticalPodPreemption', async (pods, stubborn) => harness(pods, stubborn));

const pod = (name: string): Pod => ({
  metadata: { name, namespace: 'default', uid: name },
  spec: { containers: [{ name: 'c', resources: { requests: { memory: '1Gi' } } }] },
});
const critical: Pod = { ...pod('new'), spec: { containers: [], priority: 2_000_000_000 } };

describe('CriticalPodPreemption', () => {
  it('evicts with the grace period of the pod, after an event, and counts what succeeded', async () => {
    const { preemption, kills, said, metrics, logger } = harness([pod('a'), pod('b')], ['b']);
    await preemption.evictPodsToFreeRequests(critical, [{ resource: 'memory', missing: 2n ** 31n }]);
    expect(kills).toHaveLength(2);
    for (const kill of kills) {
      expect(kill.evict).toBe(true);
      expect(kill).not.toHaveProperty('gracePeriodSeconds');
    }
    const text = ['Warning', 'Preempting', 'Preempted in order to admit critical pod'];
    expect([...said].sort()).toEqual([
      ['a', ...text],
      ['b', ...text],
    ]);
    expect(await metrics.render()).toContain('kubelet_preemptions{preemption_signal="memory"} 1');
    expect(logger.entries.map(({ message }) => message)).toContain('Failed to evict pod');
  });

  it('counts what a pod was granted, not what it asks for', async () => {
    const granted = (given: Pod): Pod => ({ ...given, spec: { containers: [{ name: 'c' }] } });
    const { preemption, kills } = harness([pod('a')], [], granted);
    await expect(preemption.evictPodsToFreeRequests(critical, [{ resource: 'memory', missing: 1n }])).rejects.toThrow(
      'no set of running pods found to reclaim resources: [(res: memory, q: 1), ]',
    );
    expect(kills).toEqual([]);
  });

  it('keeps other conditions and replaces an older disruption', async () => {
    const { preemption, kills } = harness([pod('a')]);
    await preemption.evictPodsToFreeRequests(critical, [{ resource: 'memory', missing: 1n }]);
    const status = kills[0]?.overrideStatus?.({
      conditions: [
        { type: 'Ready', status: 'True' },
        { type: 'DisruptionTarget', status: 'True', reason: 'EvictionByEvictionAPI' },
      ],
    });
    expect(status?.conditions?.map(({ type, reason }) => [type, reason])).toEqual([
      ['Ready', undefined],
      ['DisruptionTarget', 'TerminationByKubelet'],
    ]);
  });
});
