import type { Container, Pod } from '@podwright/kube-types';
import { createToken, type HealthReporter, type Lifecycle } from '@podwright/assembly-interface';

/** Devices of one resource on the same NUMA nodes; `numaNodes` is absent when those are unknown. */
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

/** The devices that a container has from one ResourceClaim. */
export interface ClaimAssignment {
  readonly claimName: string;
  readonly claimNamespace: string;
  readonly devices: readonly ClaimedDevice[];
}

/** The exclusive resources of one container. */
export interface ContainerAssignments {
  readonly devices: readonly DeviceAssignment[];
  /** Numbers of exclusive cores; empty for a container in the shared pool. */
  readonly cpuIds: readonly number[];
  readonly memory: readonly MemoryAssignment[];
  readonly claims: readonly ClaimAssignment[];
}

/**
 * The assignments of all managers of exclusive resources; absent in a kubelet without such managers, where no resource
 * is exclusive. Source: kubernetes v1.36 pkg/kubelet/apis/podresources/types.go.
 */
export interface ResourceAssignments {
  of(pod: Pod, container: Container): ContainerAssignments;
  /** All that pods can get: healthy devices, and CPUs and memory that are not reserved. */
  allocatable(): Omit<ContainerAssignments, 'claims'>;
  /** Releases the resources of pods that are no longer active; the server calls it before each list. */
  releaseInactive(): void;
}

export const RESOURCE_ASSIGNMENTS = createToken<ResourceAssignments>('kubelet.resource-assignments/v1');

/**
 * Serves the gRPC services `v1.PodResourcesLister` and `v1alpha1.PodResourcesLister` to monitoring agents on the node,
 * from memory. `start()` replaces a socket that an earlier kubelet left, and rejects when it cannot create its own.
 * Source: kubernetes v1.36 pkg/kubelet/apis/podresources, pkg/kubelet/server/server.go ListenAndServePodResources.
 */
export interface PodResourcesServer extends Lifecycle, HealthReporter {
  /** Path of the unix socket. */
  readonly socket: string;
}

export const POD_RESOURCES_SERVER = createToken<PodResourcesServer>('kubelet.pod-resources-server/v1');
