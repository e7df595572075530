import { plainObject } from './generic-strategies.js';
import type { ResourceStrategy } from './resource-strategy.js';

/** Source: kubernetes v1.36 pkg/apis/storage/v1/defaults.go SetDefaults_CSIDriver. */
export const csiDriverStrategy: ResourceStrategy = {
  ...plainObject,
  defaults: (object) => ({
    ...object,
    spec: {
      attachRequired: true,
      podInfoOnMount: false,
      storageCapacity: false,
      fsGroupPolicy: 'ReadWriteOnceWithFSType',
      volumeLifecycleModes: ['Persistent'],
      requiresRepublish: false,
      seLinuxMount: false,
      ...(object.spec as object | undefined),
    },
  }),
};

/** Source: as above, SetDefaults_StorageClass. */
export const storageClassStrategy: ResourceStrategy = {
  ...plainObject,
  defaults: (object) => ({ reclaimPolicy: 'Delete', volumeBindingMode: 'Immediate', ...object }),
};
