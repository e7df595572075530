import { describe, expect, it } from '@jest/globals';
import { restartsAfterExit, type Pod } from '@podwright/kube-types';
import { honouredRestartRules } from './honoured-restart-rules.js';

const exitCodes = { operator: 'In', values: [3] };
const pod = {
  metadata: { name: 'p' },
  spec: {
    restartPolicy: 'OnFailure',
    containers: [
      { name: 'plain', image: 'i' },
      { name: 'own', image: 'i', restartPolicy: 'Never', restartPolicyRules: [{ action: 'Restart', exitCodes }] },
      {
        name: 'all',
        image: 'i',
        restartPolicy: 'Never',
        restartPolicyRules: [
          { action: 'RestartAllContainers', exitCodes },
          { action: 'Restart', exitCodes },
        ],
      },
    ],
    initContainers: [
      { name: 'sidecar', image: 'i', restartPolicy: 'Always', restartPolicyRules: [{ action: 'Restart', exitCodes }] },
      { name: 'once', image: 'i', restartPolicy: 'Never' },
    ],
  },
} as unknown as Pod;
const restartsAfter = (seen: Pod, exitCode: number): readonly boolean[] =>
  seen.spec.containers.map((container) => restartsAfterExit(seen, container, exitCode));

const gates = (containerRestartRules: boolean, restartAllContainers: boolean, nodeDeclaredFeatures = false) =>
  honouredRestartRules({ containerRestartRules, restartAllContainers, nodeDeclaredFeatures });

describe('honouredRestartRules', () => {
  it('leaves pods alone while both gates are on, and pods without rules always', () => {
    expect(gates(true, true)(pod)).toBe(pod);
    const bare: Pod = { metadata: { name: 'b' }, spec: { containers: [{ name: 'c', image: 'i' }] } };
    expect(gates(false, false)(bare)).toBe(bare);
  });

  it('without ContainerRestartRules leaves the policy of the pod, and sidecars', () => {
    const honour = gates(false, true);
    const seen = honour(pod);
    expect(honour(pod)).toBe(seen);
    expect(restartsAfter(seen, 3)).toEqual([true, true, true]);
    expect(restartsAfter(seen, 0)).toEqual([false, false, false]);
    expect(seen.spec.initContainers).toEqual([
      { name: 'sidecar', image: 'i', restartPolicy: 'Always' },
      { name: 'once', image: 'i' },
    ]);
  });

  it('without RestartAllContainersOnContainerExits leaves such a rule to the policy of its container', () => {
    expect(restartsAfter(pod, 3)).toEqual([true, true, true]);
    const seen = gates(true, false)(pod);
    expect(restartsAfter(seen, 3)).toEqual([true, true, false]);
    expect(JSON.stringify(seen)).not.toContain('RestartAllContainers');
    expect(seen.spec.initContainers).toEqual(pod.spec.initContainers);
  });

  it('leaves a pod that admission refuses for such a rule as it is', () => {
    expect([gates(true, false, true)(pod), gates(false, false, true)(pod)]).toEqual([pod, pod]);
    const { containers, ...spec } = pod.spec;
    const others = { ...pod, spec: { ...spec, containers: containers.slice(0, 2) } };
    expect(restartsAfter(gates(false, false, true)(others), 3)).toEqual([true, true]);
    expect(gates(false, false, true)(others)).not.toBe(others);
  });
});
