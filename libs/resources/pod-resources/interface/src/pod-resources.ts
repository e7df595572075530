import { createToken, type HealthReporter, type Lifecycle } from '@podwright/assembly-interface';

/** Devices of one resource on one set of NUMA nodes. */
export interface ContainerDevices {
  readonly resourceName: string;
  readonly deviceIds: readonly string[];
  readonly numaNodes: readonly number[];
}

export interface ContainerMemory {
  /** `memory` or `hugepages-<size>`. */
  readonly memoryType: string;
  readonly bytes: number;
  readonly numaNodes: readonly number[];
}

/** What one container holds for itself alone. */
export interface ExclusiveResources {
  readonly devices: readonly ContainerDevices[];
  /** Numbers of exclusive cores, ascending. */
  readonly cpuIds: readonly number[];
  readonly memory: readonly ContainerMemory[];
}

/** What the managers of exclusive resources know; absent as long as the kubelet has none, then nothing is exclusive. */
export interface ResourceAssignments {
  assigned(podUid: string, container: string): ExclusiveResources;
  /** What pods may get at all. */
  allocatable(): ExclusiveResources;
}

export const RESOURCE_ASSIGNMENTS = createToken<ResourceAssignments>('kubelet.resource-assignments/v1');

/**
 * The gRPC service v1.PodResourcesLister on its own socket. Source: kubernetes v1.36 pkg/kubelet/apis/podresources,
 * spec sheet cri.md.
 */
export interface PodResourcesServer extends Lifecycle, HealthReporter {
  /** Path of the socket. */
  readonly socket: string;
}

export const POD_RESOURCES_SERVER = createToken<PodResourcesServer>('kubelet.pod-resources-server/v1');
