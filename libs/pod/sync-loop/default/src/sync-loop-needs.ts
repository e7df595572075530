import { CLOCK, LOGGER, METRICS, needs, optional, pick, type Needs } from '@podwright/assembly-interface';
import { ALLOCATED_RESOURCES, ALLOCATION_MANAGER } from '@podwright/allocation-interface';
import { CONTAINER_GC } from '@podwright/container-gc-interface';
import { CONTAINER_RUNTIME, RUNTIME_STATE } from '@podwright/container-runtime-interface';
import { ALLOCATED_RESOURCE_HEALTH } from '@podwright/device-manager-interface';
import { RUNTIME_VIEW } from '@podwright/evented-pleg-interface';
import { EVENT_RECORDER } from '@podwright/events-interface';
import { JOURNAL } from '@podwright/journal-interface';
import { NODE_SOURCE } from '@podwright/node-status-interface';
import { PLEG } from '@podwright/pleg-interface';
import { POD_CERTIFICATES } from '@podwright/pod-certificate-interface';
import { POD_CONFIG } from '@podwright/pod-config-interface';
import { POD_MANAGER } from '@podwright/pod-manager-interface';
import { ACTIVE_PODS, POD_LIFECYCLE, POD_WORKERS, POD_WORK_QUEUE } from '@podwright/pod-workers-interface';
import { PROBE_RESULTS } from '@podwright/probe-interface';
import { STATUS_MANAGER } from '@podwright/status-interface';
import { HOUSEKEEPING_STEPS } from '@podwright/sync-loop-interface';

export const syncLoopNeeds = needs({
  pods: POD_MANAGER,
  workers: POD_WORKERS,
  activePods: ACTIVE_PODS,
  runtime: CONTAINER_RUNTIME,
  statuses: STATUS_MANAGER,
  allocations: ALLOCATION_MANAGER,
  allocated: pick(ALLOCATED_RESOURCES, 'withAllocation'),
  /** The housekeeping steps of the managers. */
  steps: HOUSEKEEPING_STEPS,
  metrics: METRICS,
  clock: CLOCK,
  logger: LOGGER,
  /** Without it housekeeping lists the runtime's pods itself, unless there is a recent list. */
  runtimeView: optional(RUNTIME_VIEW),
  lifecycle: POD_LIFECYCLE,
  podConfig: POD_CONFIG,
  podCertificates: pick(POD_CERTIFICATES, 'trackPod', 'forgetPod'),
  containerGc: CONTAINER_GC,
  events: EVENT_RECORDER,
  node: pick(NODE_SOURCE, 'declaredFeatures'),
  pleg: PLEG,
  workQueue: pick(POD_WORK_QUEUE, 'watch'),
  probeResults: PROBE_RESULTS,
  runtimeState: RUNTIME_STATE,
  /** Syncs pods at once when the health of their devices changes. */
  resourceHealth: ALLOCATED_RESOURCE_HEALTH,
  journal: optional(JOURNAL),
});
export type SyncLoopNeeds = Needs<typeof syncLoopNeeds>;
