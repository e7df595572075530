import type { MetricsRegistry } from '@podwright/metrics';

/** Counts a manager's exclusive allocations: the same three metrics for all managers. */
export interface AllocationMetrics {
  /** `source`: from the node's resources, or from those allocated to the pod as a whole. */
  allocated(source: 'node' | 'pod'): void;
  failed(source: 'node' | 'pod'): void;
  assigned(type: 'node_exclusive' | 'pod_exclusive' | 'pod_shared'): void;
}

/**
 * The metrics of one manager; upstream has them behind gate PodLevelResourceManagers. `resourceName` as in
 * `resources.requests`. Source: kubernetes v1.36 pkg/kubelet/metrics/metrics.go.
 */
export function allocationMetrics(metrics: MetricsRegistry, resourceName: string): AllocationMetrics {
  const allocations = metrics.counter({
    name: 'resource_manager_allocations_total',
    help: 'Number of exclusive resource allocations performed by a resource manager.',
    labels: ['resource_name', 'source'],
  });
  const errors = metrics.counter({
    name: 'resource_manager_allocation_errors_total',
    help: 'Number of errors encountered during exclusive resource allocation.',
    labels: ['resource_name', 'source'],
  });
  const assignments = metrics.counter({
    name: 'resource_manager_container_assignments',
    help: 'Number of containers with a specific type of resource assignment.',
    labels: ['resource_name', 'assignment_type'],
  });
  return {
    allocated: (source) => allocations.increment({ resource_name: resourceName, source }),
    failed: (source) => errors.increment({ resource_name: resourceName, source }),
    assigned: (type) => assignments.increment({ resource_name: resourceName, assignment_type: type }),
  };
}
