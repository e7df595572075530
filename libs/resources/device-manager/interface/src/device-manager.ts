import { createManyToken, createToken, type HealthReporter, type Lifecycle } from '@podwright/assembly-interface';
import type { Container, Pod } from '@podwright/kube-types';
import type { HintProvider } from '@podwright/topology-manager-interface';

/** Additions to a container's configuration, merged from the plugins of all its devices. */
export interface DeviceRunOptions {
  readonly envs: readonly { readonly name: string; readonly value: string }[];
  readonly mounts: readonly { readonly hostPath: string; readonly containerPath: string; readonly readOnly: boolean }[];
  readonly devices: readonly {
    readonly hostPath: string;
    readonly containerPath: string;
    readonly permissions: string;
  }[];
  readonly annotations: Readonly<Record<string, string>>;
  readonly cdiDevices: readonly string[];
}

/** Devices of one resource on the same NUMA nodes. */
export interface AllocatedDevices {
  readonly resourceName: string;
  readonly deviceIds: readonly string[];
  /** Absent when the plugin does not report them. */
  readonly numaNodes?: readonly number[];
}

/**
 * Serves device plugins (v1beta1) and assigns their devices to containers.
 * Source: kubernetes v1.36 pkg/kubelet/cm/devicemanager.
 */
export interface DeviceManager extends HintProvider, Lifecycle, HealthReporter {
  /**
   * Call it at every start of the container: it calls PreStartContainer of the plugins that require it. Resolves with
   * undefined when the container has no devices. When it rejects, the container waits with CreateContainerConfigError
   * and that message.
   */
  runOptionsOf(pod: Pod, container: Container, signal?: AbortSignal): Promise<DeviceRunOptions | undefined>;
  devicesOf(podUid: string, container: string): readonly AllocatedDevices[];
  /** Healthy devices of all plugins. */
  allocatableDevices(): readonly AllocatedDevices[];
  /** Releases the devices of pods that are no longer active. */
  releaseInactive(): void;
}

export const DEVICE_MANAGER = createToken<DeviceManager>('kubelet.device-manager/v1');

/** Health of a container's devices, for `status.containerStatuses[].allocatedResourcesStatus`. */
export interface AllocatedResourceHealth {
  /** Sorted by name; empty for a container without devices. */
  of(
    pod: Pod,
    container: string,
  ): readonly {
    readonly name: string;
    readonly resources: readonly {
      readonly resourceId: string;
      readonly health: 'Healthy' | 'Unhealthy' | 'Unknown';
      /** Why, in the driver's words. */
      readonly message?: string;
    }[];
  }[];
  /** Calls `listener` with the UIDs of the pods whose devices changed their health. Returns unsubscribe. */
  watch(listener: (podUids: readonly string[]) => void): () => void;
}

/** Each manager of devices contributes its own; the names of their resources differ. */
export const ALLOCATED_RESOURCE_HEALTH = createManyToken<AllocatedResourceHealth>(
  'kubelet.allocated-resource-health/v1',
);
