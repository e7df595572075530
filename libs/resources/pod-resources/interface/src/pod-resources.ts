import { createToken, type HealthReporter, type Lifecycle } from '@podwright/assembly-interface';

/** Devices of one resource that lie on the same NUMA nodes; without `numaNodes` nothing is known of where they are. */
export interface DeviceAssignment {
  readonly resourceName: string;
  readonly deviceIds: readonly string[];
  readonly numaNodes?: readonly number[];
}

export interface MemoryAssignment {
  /** `memory` or `hugepages-<size>`. */
  readonly memoryType: string;
  readonly bytes: number;
  readonly numaNodes: readonly number[];
}

export interface ClaimedDevice {
  readonly cdiDevices: readonly string[];
  readonly driverName: string;
  readonly poolName: string;
  readonly deviceName: string;
  readonly shareId?: string;
}

/** What one ResourceClaim gives a container. */
export interface ClaimAssignment {
  readonly claimName: string;
  readonly claimNamespace: string;
  readonly devices: readonly ClaimedDevice[];
}

/** What belongs to one container alone. */
export interface ContainerAssignments {
  readonly devices: readonly DeviceAssignment[];
  /** Numbers of exclusive cores; empty for a container in the shared pool. */
  readonly cpuIds: readonly number[];
  readonly memory: readonly MemoryAssignment[];
  readonly claims: readonly ClaimAssignment[];
}

/**
 * What the managers of exclusive resources have given out; absent as long as a kubelet has none of them, then nothing is
 * exclusive. Source: kubernetes v1.36 pkg/kubelet/apis/podresources/types.go.
 */
export interface ResourceAssignments {
  of(podUid: string, container: string): ContainerAssignments;
  /** What pods may get at all: healthy devices, cores and memory that are not reserved. */
  allocatable(): Omit<ContainerAssignments, 'claims'>;
  /** Called before a list: takes back what pods hold that do not run any more. */
  releaseInactive(): void;
}

export const RESOURCE_ASSIGNMENTS = createToken<ResourceAssignments>('kubelet.resource-assignments/v1');

/**
 * Serves the gRPC services `v1.PodResourcesLister` and `v1alpha1.PodResourcesLister` to monitoring agents on the node. Answers
 * come from memory. `start()` rejects when the socket cannot be made, and takes the place of one that a former kubelet left.
 * Source: kubernetes v1.36 pkg/kubelet/apis/podresources, pkg/kubelet/server/server.go ListenAndServePodResources.
 */
export interface PodResourcesServer extends Lifecycle, HealthReporter {
  /** Path of the unix socket. */
  readonly socket: string;
}

export const POD_RESOURCES_SERVER = createToken<PodResourcesServer>('kubelet.pod-resources-server/v1');
