import { decodeOptions } from '@podwright/assembly-interface';
import type { Admission, AdmissionHandlers } from '@podwright/admission-interface';
import type {
  ActuatedResources,
  AllocatedResources,
  AllocationManager,
  ResizeConditions,
} from '@podwright/allocation-interface';
import type { ConfigSchema } from '@podwright/assembly-interface';
import type { EventRecorder } from '@podwright/events-interface';
import type { Logger } from '@podwright/logging';
import type { MetricsRegistry } from '@podwright/metrics';
import type { NodeSource } from '@podwright/node-status-interface';
import type { PodConfig } from '@podwright/pod-config-interface';
import type { PodManager } from '@podwright/pod-manager-interface';
import type { ActivePods } from '@podwright/pod-workers-interface';
import type { Clock } from '@podwright/time';
import { allocationManagerConfigSchema, type AllocationManagerConfig } from './manager/allocation-manager-config.js';
import { QueueingAllocationManager } from './manager/queueing-allocation-manager.js';
import { allocationStateConfigSchema, type AllocationStateConfig } from './state/allocation-state-config.js';
import { CheckpointedActuatedResources } from './state/checkpointed-actuated-resources.js';
import { CheckpointedAllocatedResources } from './state/checkpointed-allocated-resources.js';
import { MemoryResizeConditions } from './state/memory-resize-conditions.js';

export interface AllocationState {
  readonly allocated: AllocatedResources;
  readonly actuated: ActuatedResources;
  readonly conditions: ResizeConditions;
}

/** The records without a container; start both of them. Throws `invalid-argument` for a wrong option. */
export function createAllocationState(
  deps: { readonly clock: Pick<Clock, 'now'> },
  options: Partial<AllocationStateConfig> = {},
): AllocationState {
  const config = decode(allocationStateConfigSchema, options);
  return {
    allocated: new CheckpointedAllocatedResources(config),
    actuated: new CheckpointedActuatedResources(config),
    conditions: new MemoryResizeConditions(deps.clock),
  };
}

export interface AllocationManagerDeps extends Pick<AllocationState, 'allocated' | 'conditions'> {
  readonly admission: Admission;
  readonly admissionHandlers: AdmissionHandlers;
  readonly activePods: ActivePods;
  readonly pods: Pick<PodManager, 'getPodByUid'>;
  readonly podConfig: Pick<PodConfig, 'allSourcesReady'>;
  readonly nodeSource: Pick<NodeSource, 'getNode'>;
  readonly events: EventRecorder;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly metrics: MetricsRegistry;
}

/** The manager without a container. Throws `invalid-argument` for a wrong option. */
export function createAllocationManager(
  deps: AllocationManagerDeps,
  options: Partial<AllocationManagerConfig> = {},
): AllocationManager {
  return new QueueingAllocationManager(
    deps.admission,
    deps.admissionHandlers,
    deps.allocated,
    deps.conditions,
    deps.activePods,
    deps.pods,
    deps.podConfig,
    deps.nodeSource,
    deps.events,
    deps.clock,
    deps.logger,
    deps.metrics,
    decode(allocationManagerConfigSchema, options),
  );
}

function decode<T>(schema: ConfigSchema<T>, options: Partial<T>): T {
  const config = decodeOptions('allocation', schema, options);
  return config;
}
