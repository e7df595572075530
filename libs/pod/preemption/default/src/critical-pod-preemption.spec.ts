import { describe, expect, it } from '@jest/globals';
import type { EventRecorder } from '@podwright/events-interface';
import type { Pod, PodStatus } from '@podwright/kube-types';
import { createMemoryLogger } from '@podwright/logging';
import { createMetricsRegistry } from '@podwright/metrics';
import type { KillPodOptions } from '@podwright/pod-workers-interface';
import { describePreemptionContract } from '@podwright/preemption-interface/contract';
import { createCriticalPodPreemption } from './critical-pod-preemption.js';

const asTheyAre = (given: Pod): Pod => given;

function bench(pods: readonly Pod[], stubborn: readonly string[] = [], withAllocation = asTheyAre) {
  const ended: string[] = [];
  const kills: KillPodOptions[] = [];
  const statuses = new Map<string, PodStatus>();
  const said: (readonly string[])[] = [];
  const events: EventRecorder = {
    event: (object, type, reason, message) =>
      said.push([object.kind === 'Pod' ? (object.pod.metadata.name ?? '') : '', type, reason, message]),
  };
  const logger = createMemoryLogger(3);
  const metrics = createMetricsRegistry();
  let busy = false;
  const preemption = createCriticalPodPreemption({
    activePods: { list: () => pods },
    allocated: { withAllocation },
    workers: {
      killPodNow: async ({ metadata: { name = '' } }, options) => {
        if (busy) throw new Error('two kills at a time');
        busy = true;
        ended.push(name);
        kills.push(options);
        await Promise.resolve();
        busy = false;
        if (stubborn.includes(name)) throw new Error('timeout waiting to kill pod');
        statuses.set(name, options.overrideStatus?.({ phase: 'Running' }) ?? {});
      },
    },
    events,
    logger,
    metrics,
  });
  return { preemption, ended, kills, statuses, said, logger, metrics };
}

describePreemptionContract('CriticalPodPreemption', async (pods, stubborn) => bench(pods, stubborn));

const pod = (name: string): Pod => ({
  metadata: { name, namespace: 'default', uid: name },
  spec: { containers: [{ name: 'c', resources: { requests: { memory: '1Gi' } } }] },
});
const critical: Pod = { ...pod('new'), spec: { containers: [], priority: 2_000_000_000 } };

describe('CriticalPodPreemption', () => {
  it('evicts with the grace period of the pod, after an event, and counts what succeeded', async () => {
    const { preemption, kills, said, metrics, logger } = bench([pod('a'), pod('b')], ['b']);
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
    const { preemption, kills } = bench([pod('a')], [], granted);
    await expect(preemption.evictPodsToFreeRequests(critical, [{ resource: 'memory', missing: 1n }])).rejects.toThrow(
      'no set of running pods found to reclaim resources: [(res: memory, q: 1), ]',
    );
    expect(kills).toEqual([]);
  });

  it('keeps other conditions and replaces an older disruption', async () => {
    const { preemption, kills } = bench([pod('a')]);
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
