import type { DecisionOf } from '../decision.js';
import type { JournalPod } from '../kinds/journal-pod.js';

export function contractPod(name: string): JournalPod {
  return { uid: `uid-${name}`, namespace: 'default', name };
}

export function admitted(name: string, durationMs = 1): DecisionOf<'pod.admitted'> {
  return { kind: 'pod.admitted', pod: contractPod(name), durationMs };
}

export function queued(name: string): DecisionOf<'pod.queued'> {
  return { kind: 'pod.queued', pod: contractPod(name), update: 'create' };
}

export const leaseFailed: DecisionOf<'lease.failed'> = { kind: 'lease.failed', error: 'connection refused' };

export function evicted(...names: readonly string[]): DecisionOf<'eviction'> {
  return {
    kind: 'eviction',
    time: '2026-01-01T00:00:00Z',
    dryRun: false,
    signals: [],
    thresholds: [],
    conditions: ['MemoryPressure'],
    reclaimFor: 'memory.available',
    reclaimed: [],
    rankings: [],
    evicted: names.map((name) => ({
      ...contractPod(name),
      signal: 'memory.available',
      message: 'The node was low on resource: memory.',
      gracePeriodSeconds: 0,
    })),
  };
}
