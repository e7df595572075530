import { describe, expect, it } from '@jest/globals';
import { createMetricsRegistry } from '@podwright/metrics';
import { allocationMetrics } from './allocation-metrics.js';

describe('allocationMetrics', () => {
  it('counts for each manager in metrics that all share', async () => {
    const registry = createMetricsRegistry();
    const cpu = allocationMetrics(registry, 'cpu');
    const memory = allocationMetrics(registry, 'memory');
    cpu.allocated('node');
    cpu.allocated('node');
    memory.allocated('pod');
    memory.failed('pod');
    cpu.assigned('pod_shared');
    const lines = (await registry.render()).split('\n').filter((line) => line.startsWith('resource_manager_'));
    expect(lines.sort()).toEqual([
      'resource_manager_allocation_errors_total{resource_name="memory",source="pod"} 1',
      'resource_manager_allocations_total{resource_name="cpu",source="node"} 2',
      'resource_manager_allocations_total{resource_name="memory",source="pod"} 1',
      'resource_manager_container_assignments{assignment_type="pod_shared",resource_name="cpu"} 1',
    ]);
  });
});
