import { createToken, type HealthReporter, type Lifecycle } from '@podwright/assembly-interface';

/**
 * Registers the node and keeps its Node object up to date. `start()` resolves at once; an API server that is away is tried
 * again without end. Source: kubernetes v1.36 pkg/kubelet/kubelet_node_status.go.
 */
export interface NodeStatusReporter extends Lifecycle, HealthReporter {
  /** The API server has, or had when the kubelet started, a Node object of ours. */
  registered(): boolean;
  /** Something changed that should not wait for the next round: a status is computed and, when it differs, sent. */
  requestUpdate(): void;
}

export const NODE_STATUS_REPORTER = createToken<NodeStatusReporter>('kubelet.node-status-reporter/v1');

/** Shortages of the node, for its conditions; absent in an assembly without eviction, then there are none. */
export interface NodePressure {
  memoryPressure(): boolean;
  diskPressure(): boolean;
  pidPressure(): boolean;
}

export const NODE_PRESSURE = createToken<NodePressure>('kubelet.node-pressure/v1');
