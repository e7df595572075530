import { createToken, type HealthReporter, type Lifecycle } from '@podwright/assembly-interface';

/**
 * Serves the gRPC service `v1alpha1.Pods` to programs on the node, from memory: the node's pods with their newest
 * statuses, each a `v1.Pod` in protobuf. Lists are sorted by UID. A watch begins with an ADDED event per pod and one
 * INITIAL_SYNC_COMPLETE; a pod that has ended gets a DELETED event with name, namespace and UID alone. A client that does
 * not read is cut off, and nobody waits for it. `start()` replaces a socket that an earlier kubelet left, and rejects when
 * it cannot create its own. Source: kubernetes v1.36 pkg/kubelet/apis/pods/server.go.
 */
export interface PodsApi extends Lifecycle, HealthReporter {
  /** Path of the unix socket. */
  readonly socket: string;
}

export const PODS_API = createToken<PodsApi>('kubelet.pods-api/v1');
