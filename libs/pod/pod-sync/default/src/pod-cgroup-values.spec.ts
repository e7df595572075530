import { describe, expect, it } from '@jest/globals';
import type { PodResourceState } from '@podwright/allocation-interface';
import type { Pod } from '@podwright/kube-types';
import { createMemoryLogger } from '@podwright/logging';
import { createFakeConditions } from './fixtures/fake-resizes.js';
import { PodCgroupValues } from './pod-cgroup-values.js';

const web = { name: 'web', resources: { requests: { cpu: '1' } } };
const pod: Pod = { metadata: { name: 'web', uid: 'u' }, spec: { containers: [web] } };

function harness(read: () => Promise<{ readonly cpuShares: number }>) {
  const logger = createMemoryLogger();
  const resizeConditions = createFakeConditions();
  const state: { actuated: PodResourceState | undefined } = { actuated: undefined };
  const actuated = { of: () => state.actuated, setPod: async () => undefined };
  return {
    logger,
    resizeConditions,
    state,
    values: new PodCgroupValues({ podCgroups: { read }, actuated, resizeConditions, logger }),
  };
}

describe('PodCgroupValues', () => {
  it('reads once, and again after the kubelet has set resources, while a resize is on, and for a new pod', async () => {
    let reads = 0;
    const { values, state, resizeConditions } = harness(async () => ({ cpuShares: (reads += 1) }));
    const shares = async () => (await values.of(pod)).cpuShares;
    expect([await shares(), await shares()]).toEqual([1, 1]);
    state.actuated = { containers: {} };
    expect([await shares(), await shares()]).toEqual([2, 2]);
    resizeConditions.setInProgress(pod, '', '');
    expect([await shares(), await shares()]).toEqual([3, 4]);
    resizeConditions.clearInProgress('u');
    values.forget('u');
    expect([await shares(), await shares()]).toEqual([5, 5]);
  });

  it('does not read for a pod that requests nothing', async () => {
    let reads = 0;
    const { values } = harness(async () => ({ cpuShares: (reads += 1) }));
    expect(await values.of({ ...pod, spec: { containers: [{ name: 'web' }] } })).toEqual({});
    expect(reads).toBe(0);
  });

  it('has nothing where nothing can be read, says so, and tries again', async () => {
    let reads = 0;
    const { values, logger } = harness(async () => {
      if ((reads += 1) === 1) throw new Error('gone');
      return { cpuShares: 2 };
    });
    expect(await values.of(pod)).toEqual({});
    expect(logger.messages('error')).toEqual(['failed to read cgroup config for the pod']);
    expect(await values.of(pod)).toEqual({ cpuShares: 2 });
  });
});
