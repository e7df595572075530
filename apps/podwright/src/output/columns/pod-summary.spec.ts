import { describe, expect, it } from '@jest/globals';
import type { Pod } from '@podwright/kube-types';
import { podSummary } from './pod-summary.js';

type Status = object;
const terminated = (exitCode: number, more: object = {}): Status => ({ state: { terminated: { exitCode, ...more } } });
const waiting = (reason: string): Status => ({ state: { waiting: { reason } } });
const running: Status = { ready: true, state: { running: {} } };
const named = (statuses: readonly Status[]): readonly Status[] =>
  statuses.map((status, index) => ({ name: `c${index}`, restartCount: 0, ready: false, ...status }));

function reasonOf(
  phase: string,
  status: object,
  containers: readonly Status[],
  inits: readonly Status[] = [],
  metadata = {},
): string {
  const pod = {
    metadata,
    spec: {
      containers: containers.map((_, index) => ({ name: `c${index}` })),
      initContainers: inits.map((_, index) => ({ name: `c${index}` })),
    },
    status: { phase, ...status, containerStatuses: named(containers), initContainerStatuses: named(inits) },
  };
  return podSummary(pod as unknown as Pod).reason;
}

// Source: kubernetes v1.36 pkg/printers/internalversion/printers_test.go TestPrintPod.
describe('podSummary', () => {
  const ready = { conditions: [{ type: 'Ready', status: 'True' }] };
  it.each([
    ['Pending', {}, [], [], 'Pending'],
    ['Failed', { reason: 'Evicted' }, [], [], 'Evicted'],
    ['Running', {}, [running, waiting('CrashLoopBackOff')], [], 'CrashLoopBackOff'],
    ['Running', {}, [terminated(1, { reason: 'Error' })], [], 'Error'],
    ['Running', {}, [terminated(1)], [], 'ExitCode:1'],
    ['Running', {}, [terminated(1, { signal: 9 })], [], 'Signal:9'],
    ['Running', ready, [terminated(0, { reason: 'Completed' }), running], [], 'Running'],
    ['Running', {}, [terminated(0, { reason: 'Completed' }), running], [], 'NotReady'],
    ['Succeeded', {}, [terminated(0, { reason: 'Completed' }), terminated(1, { reason: 'Error' })], [], 'Error'],
    ['Pending', {}, [waiting('PodInitializing')], [{ state: { running: {} } }, {}], 'Init:0/2'],
    ['Pending', {}, [waiting('PodInitializing')], [terminated(0), waiting('PodInitializing')], 'Init:1/2'],
    ['Pending', {}, [waiting('PodInitializing')], [waiting('ErrImagePull')], 'Init:ErrImagePull'],
    ['Pending', {}, [waiting('PodInitializing')], [terminated(2)], 'Init:ExitCode:2'],
    ['Pending', {}, [waiting('PodInitializing')], [terminated(0)], 'PodInitializing'],
    ['Pending', { conditions: [{ type: 'PodScheduled', reason: 'SchedulingGated' }] }, [], [], 'SchedulingGated'],
  ])('%s %j: %#', (phase, status, containers, inits, expected) => {
    expect(reasonOf(phase, status, containers, inits)).toBe(expected);
  });

  it('shows that a pod ends', () => {
    const metadata = { deletionTimestamp: '2026-01-01T00:00:00Z' };
    expect(reasonOf('Running', {}, [running], [], metadata)).toBe('Terminating');
    expect(reasonOf('Succeeded', {}, [terminated(0, { reason: 'Completed' })], [], metadata)).toBe('Completed');
  });
});
