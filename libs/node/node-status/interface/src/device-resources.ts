import { createToken } from '@podwright/assembly-interface';
import type { ResourceList } from '@podwright/kube-types';

/** The device plugins' extended resources, for the node status; absent in an assembly without a device manager. */
export interface DeviceResources {
  /** `removed` names resources whose plugin has disappeared: the node keeps them with quantity 0. */
  resources(): {
    readonly capacity: ResourceList;
    readonly allocatable: ResourceList;
    readonly removed: readonly string[];
  };
  /** True when no devices are known from before the restart: an existing node's extended resources then start at 0. */
  nodeRecreated(): boolean;
}

export const DEVICE_RESOURCES = createToken<DeviceResources>('kubelet.device-resources/v1');
