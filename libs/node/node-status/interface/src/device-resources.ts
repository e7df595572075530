import { createToken } from '@podwright/assembly-interface';
import type { ResourceList } from '@podwright/kube-types';

/** Extended resources of device plugins, for the node's status; absent in an assembly without a device manager. */
export interface DeviceResources {
  /** `removed` names resources whose plugin is gone: they stay on the node with 0. */
  resources(): {
    readonly capacity: ResourceList;
    readonly allocatable: ResourceList;
    readonly removed: readonly string[];
  };
  /** Nothing is known of devices from before: then an existing node's extended resources start at 0. */
  nodeRecreated(): boolean;
}

export const DEVICE_RESOURCES = createToken<DeviceResources>('kubelet.device-resources/v1');
