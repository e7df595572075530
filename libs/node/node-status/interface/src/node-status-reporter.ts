import { createToken, type HealthReporter, type Lifecycle } from '@podwright/assembly-interface';

/**
 * Registers the node and keeps its Node object up to date. `start()` does not wait for the API server; the reporter
 * retries until it answers. Source: kubernetes v1.36 pkg/kubelet/kubelet_node_status.go.
 */
export interface NodeStatusReporter extends Lifecycle, HealthReporter {
  /** True when the API server has this node's Node object, or has had it since the kubelet started. */
  registered(): boolean;
  /** Computes the status now instead of at the next period, and sends it when it differs. */
  requestUpdate(): void;
}

export const NODE_STATUS_REPORTER = createToken<NodeStatusReporter>('kubelet.node-status-reporter/v1');

/** The node's pressure conditions; absent in an assembly without eviction, where no condition holds. */
export interface NodePressure {
  memoryPressure(): boolean;
  diskPressure(): boolean;
  pidPressure(): boolean;
}

export const NODE_PRESSURE = createToken<NodePressure>('kubelet.node-pressure/v1');
