import { describe, expect, it } from '@jest/globals';
import type { PodCondition, PodStatus } from '@podwright/kube-types';
import { withSandboxReady } from './sandbox-ready.js';

const type = 'PodReadyToStartContainers';
const pod = (generation?: number) => ({
  metadata: { name: 'web', ...(generation !== undefined && { generation }) },
  spec: { containers: [] },
});
const scheduled: PodCondition = { type: 'PodScheduled', status: 'True' };

describe('withSandboxReady', () => {
  it.each<[string, PodCondition[] | undefined, PodCondition[]]>([
    ['adds the condition', undefined, [{ type, status: 'True' }]],
    ['behind others', [scheduled], [scheduled, { type, status: 'True' }]],
    [
      'in its place, without the time of its old value',
      [{ type, status: 'False', lastTransitionTime: '2026-01-01T00:00:00Z' }, scheduled],
      [{ type, status: 'True' }, scheduled],
    ],
  ])('%s', (_, conditions, expected) => {
    expect(withSandboxReady(pod(), { phase: 'Pending', ...(conditions && { conditions }) })).toEqual({
      phase: 'Pending',
      conditions: expected,
    });
  });

  it('carries the generation of the spec', () => {
    expect(withSandboxReady(pod(3), {}).conditions).toEqual([{ type, status: 'True', observedGeneration: 3 }]);
  });

  it('leaves a status alone that says so already', () => {
    const status: PodStatus = { conditions: [{ type, status: 'True', lastTransitionTime: '2026-01-01T00:00:00Z' }] };
    expect(withSandboxReady(pod(3), status)).toBe(status);
  });
});
