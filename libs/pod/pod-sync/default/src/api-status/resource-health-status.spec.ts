import { describe, expect, it } from '@jest/globals';
import type { PodStatus } from '@podwright/kube-types';
import { withResourceHealth } from './resource-health-status.js';

const container = (name: string): NonNullable<PodStatus['containerStatuses']>[number] => ({
  ...{ name, image: 'i', imageID: 'i', ready: true, restartCount: 0 },
});

describe('health of allocated resources', () => {
  it('stands in the status of the container that holds them', () => {
    const status: PodStatus = {
      containerStatuses: [container('a'), container('b')],
      initContainerStatuses: [container('c')],
    };
    const shown = withResourceHealth(status, 'uid', {
      of: (podUid, name) =>
        podUid === 'uid' && name !== 'a'
          ? [{ name: 'example.com/gpu', resources: [{ resourceId: 'd0', health: 'Unhealthy' }] }]
          : [],
    });
    expect(shown).toEqual({
      containerStatuses: [
        container('a'),
        {
          ...container('b'),
          allocatedResourcesStatus: [
            { name: 'example.com/gpu', resources: [{ resourceID: 'd0', health: 'Unhealthy' }] },
          ],
        },
      ],
      initContainerStatuses: [container('c')],
    });
  });

  it('leaves a pod without devices as it is', () => {
    const status: PodStatus = { containerStatuses: [container('a')] };
    expect(withResourceHealth(status, 'uid', { of: () => [] })).toBe(status);
  });
});
