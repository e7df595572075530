import { createToken, type HealthReporter, type Lifecycle } from '@podwright/assembly-interface';
import type { Container, Pod } from '@podwright/kube-types';
import type { HintProvider } from '@podwright/topology-manager-interface';

/** What the plugins of a container's devices want in its configuration, merged. */
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

/** Devices of one resource with equal places. */
export interface AllocatedDevices {
  readonly resourceName: string;
  readonly deviceIds: readonly string[];
  /** Absent when the plugin does not tell. */
  readonly numaNodes?: readonly number[];
}

/** Serves device plugins (v1beta1) and gives their devices to containers. Source: kubernetes v1.36 pkg/kubelet/cm/devicemanager. */
export interface DeviceManager extends HintProvider, Lifecycle, HealthReporter {
  /**
   * Called at every start of the container; asks the plugins that want it (PreStartContainer). undefined: it has no devices. A
   * rejection becomes the waiting message of CreateContainerConfigError.
   */
  runOptionsOf(pod: Pod, container: Container, signal?: AbortSignal): Promise<DeviceRunOptions | undefined>;
  devicesOf(podUid: string, container: string): readonly AllocatedDevices[];
  /** Healthy devices of all plugins. */
  allocatableDevices(): readonly AllocatedDevices[];
  /** Takes back what pods hold that are not active any more. */
  releaseInactive(): void;
}

export const DEVICE_MANAGER = createToken<DeviceManager>('kubelet.device-manager/v1');

/** Health of what a container holds, for `status.containerStatuses[].allocatedResourcesStatus`. */
export interface AllocatedResourceHealth {
  /** Sorted by name; empty for a container without devices. */
  of(
    podUid: string,
    container: string,
  ): readonly {
    readonly name: string;
    readonly resources: readonly {
      readonly resourceId: string;
      readonly health: 'Healthy' | 'Unhealthy' | 'Unknown';
    }[];
  }[];
  /** Called with the UIDs of pods whose devices changed their health. Returns unsubscribe. */
  watch(listener: (podUids: readonly string[]) => void): () => void;
}

/** Optional: without a provider no health is shown. */
export const ALLOCATED_RESOURCE_HEALTH = createToken<AllocatedResourceHealth>('kubelet.allocated-resource-health/v1');
