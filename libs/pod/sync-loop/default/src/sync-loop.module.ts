import { ACTUATED_RESOURCES, ALLOCATED_RESOURCES, ALLOCATION_MANAGER } from '@podwright/allocation-interface';
import { CLOCK, LOGGER, METRICS, defineModule } from '@podwright/assembly-interface';
import { CGROUP_MANAGER, POD_CGROUP_CPU_REDUCTION } from '@podwright/cgroup-interface';
import { CONTAINER_GC } from '@podwright/container-gc-interface';
import { CONTAINER_RUNTIME, RUNTIME_STATE } from '@podwright/container-runtime-interface';
import { ALLOCATED_RESOURCE_HEALTH } from '@podwright/device-manager-interface';
import { EVENT_RECORDER } from '@podwright/events-interface';
import { NODE_SOURCE } from '@podwright/node-status-interface';
import { PLEG, RUNTIME_VIEW } from '@podwright/pleg-interface';
import { POD_CONFIG } from '@podwright/pod-config-interface';
import { MIRROR_POD_CLIENT, POD_MANAGER } from '@podwright/pod-manager-interface';
import { POD_MEMORY } from '@podwright/pod-memory-interface';
import { ACTIVE_PODS, POD_LIFECYCLE, POD_WORKERS, POD_WORK_QUEUE } from '@podwright/pod-workers-interface';
import { PROBE_MANAGER, PROBE_RESULTS } from '@podwright/probe-interface';
import { STATUS_MANAGER } from '@podwright/status-interface';
import { BOOTSTRAP, SYNC_HANDLER } from '@podwright/sync-loop-interface';
import { USER_NAMESPACES } from '@podwright/user-namespace-interface';
import { VOLUME_MANAGER } from '@podwright/volume-interface';
import { Housekeeping } from './housekeeping.js';
import { PodHandlers } from './pod-handlers.js';
import { syncLoopConfig } from './sync-loop-config.js';
import { SyncLoop } from './sync-loop.js';

export const syncLoopModule = defineModule({
  name: '@podwright/sync-loop',
  provides: [BOOTSTRAP, SYNC_HANDLER],
  requires: [
    ACTIVE_PODS,
    ALLOCATION_MANAGER,
    ALLOCATED_RESOURCES,
    ACTUATED_RESOURCES,
    CGROUP_MANAGER,
    CONTAINER_GC,
    CONTAINER_RUNTIME,
    RUNTIME_STATE,
    EVENT_RECORDER,
    NODE_SOURCE,
    PLEG,
    POD_CONFIG,
    POD_MANAGER,
    POD_MEMORY,
    POD_LIFECYCLE,
    POD_WORKERS,
    POD_WORK_QUEUE,
    PROBE_MANAGER,
    PROBE_RESULTS,
    STATUS_MANAGER,
    USER_NAMESPACES,
    VOLUME_MANAGER,
    CLOCK,
    LOGGER,
    METRICS,
  ],
  optional: [ALLOCATED_RESOURCE_HEALTH, MIRROR_POD_CLIENT, POD_CGROUP_CPU_REDUCTION, RUNTIME_VIEW],
  config: syncLoopConfig,
  register: (container) => {
    container.registerSingleton(Housekeeping);
    container.registerSingleton(PodHandlers);
    container.registerSingleton(SyncLoop);
    container.register(SYNC_HANDLER, { useToken: PodHandlers });
    container.register(BOOTSTRAP, { useToken: SyncLoop });
  },
});
