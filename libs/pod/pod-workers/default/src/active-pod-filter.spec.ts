import { describe, expect, it } from '@jest/globals';
import type { Pod } from '@podwright/kube-types';
import { createActivePods } from './active-pods.module.js';

interface Case {
  readonly apiPhase?: string;
  readonly cachedPhase?: string;
  readonly terminating?: boolean;
  readonly terminated?: boolean;
}

function isActive({ apiPhase, cachedPhase, terminating = false, terminated = false }: Case): boolean {
  const pod: Pod = {
    metadata: { name: 'p', namespace: 'n', uid: 'u' },
    spec: { containers: [] },
    ...(apiPhase !== undefined && { status: { phase: apiPhase } }),
  };
  const active = createActivePods({
    pods: { getPods: () => [pod] },
    lifecycle: {
      isKnownTerminated: () => terminated,
      isTerminationRequested: () => terminating || terminated,
    },
    statuses: {
      getPodStatus: () => (cachedPhase === undefined ? undefined : { phase: cachedPhase }),
    },
  });
  return active.list().length === 1;
}

describe('active pods', () => {
  it.each<[string, Case, boolean]>([
    ['a new pod', {}, true],
    ['a running pod', { apiPhase: 'Running', cachedPhase: 'Running' }, true],
    ['a terminating pod', { terminating: true }, true],
    ['a pod that has terminated', { terminated: true }, false],
    ['a pod that has terminated and ended in the API', { terminated: true, apiPhase: 'Failed' }, false],
    ['a pod that has ended in the API', { apiPhase: 'Succeeded' }, false],
    ['a pod that has ended in the cache, or was refused', { cachedPhase: 'Failed' }, false],
    ['a pod that has ended in the API and is just terminating', { apiPhase: 'Failed', terminating: true }, true],
    ['a pod that has ended in the cache and is just terminating', { cachedPhase: 'Failed', terminating: true }, true],
  ])('%s', (_name, given, active) => {
    expect(isActive(given)).toBe(active);
  });
});
