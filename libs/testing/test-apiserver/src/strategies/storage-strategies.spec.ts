import type { ApiObject } from '@podwright/api-machinery';
import { describe, expect, it } from '@jest/globals';
import { strategyOf } from './strategies.js';

const group = 'storage.k8s.io';

describe('the defaults', () => {
  it('of a CSI driver leave what its object says', () => {
    const object = { metadata: {}, spec: { attachRequired: false } } as unknown as ApiObject;
    expect(strategyOf({ group, plural: 'csidrivers' }).defaults?.(object).spec).toEqual({
      attachRequired: false,
      podInfoOnMount: false,
      storageCapacity: false,
      fsGroupPolicy: 'ReadWriteOnceWithFSType',
      volumeLifecycleModes: ['Persistent'],
      requiresRepublish: false,
      seLinuxMount: false,
    });
  });

  it('of a storage class leave what its object says', () => {
    const object = { metadata: {}, volumeBindingMode: 'WaitForFirstConsumer' } as unknown as ApiObject;
    expect(strategyOf({ group, plural: 'storageclasses' }).defaults?.(object)).toMatchObject({
      reclaimPolicy: 'Delete',
      volumeBindingMode: 'WaitForFirstConsumer',
    });
  });
});
