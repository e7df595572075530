import { describe, expect, it } from '@jest/globals';
import type { Pod, PodStatus } from '@podwright/kube-types';
import { withResourceHealth } from './resource-health-status.js';

const container = (name: string): NonNullable<PodStatus['containerStatuses']>[number] => ({
  ...{ name, image: 'i', imageID: 'i', ready: true, restartCount: 0 },
});

const pod = { metadata: { uid: 'uid' }, spec: { containers: [] } } as Pod;

describe('health of allocated resources', () => {
  it('stands in the status of the container that holds them', () => {
    const status: PodStatus = {
      containerStatuses: [container('a'), container('b')],
      initContainerStatuses: [container('c')],
    };
    const shown = withResourceHealth(status, pod, [
      {
        of: (of, name) =>
          of === pod && name !== 'a'
            ? [{ name: 'example.com/gpu', resources: [{ resourceId: 'd0', health: 'Unhealthy' }] }]
            : [],
      },
      {
        of: (_pod, name) =>
          name === 'b' ? [{ name: 'claim:x', resources: [{ resourceId: 'c0', health: 'Unknown', message: 'm' }] }] : [],
      },
    ]);
    expect(shown).toEqual({
      containerStatuses: [
        container('a'),
        {
          ...container('b'),
          allocatedResourcesStatus: [
            { name: 'example.com/gpu', resources: [{ resourceID: 'd0', health: 'Unhealthy' }] },
            { name: 'claim:x', resources: [{ resourceID: 'c0', health: 'Unknown', message: 'm' }] },
          ],
        },
      ],
      initContainerStatuses: [container('c')],
    });
  });

  it('leaves a pod without devices as it is', () => {
    const status: PodStatus = { containerStatuses: [container('a')] };
    expect(withResourceHealth(status, pod, [{ of: () => [] }])).toBe(status);
  });
});
