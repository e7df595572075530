import { ADMISSION_HANDLERS } from '@podwright/admission-interface';
import { ALLOCATED_RESOURCES } from '@podwright/allocation-interface';
import { CLOCK, defineModule, LOGGER, METRICS } from '@podwright/assembly-interface';
import { CGROUP_STATS } from '@podwright/cgroup-stats-interface';
import { CONTAINER_GC } from '@podwright/container-gc-interface';
import { IMAGE_SERVICE } from '@podwright/cri-client-interface';
import { EVENT_RECORDER } from '@podwright/events-interface';
import { EVICTION_MANAGER } from '@podwright/eviction-interface';
import { IMAGE_GC } from '@podwright/image-gc-interface';
import { NODE_PRESSURE } from '@podwright/node-status-interface';
import { ACTIVE_PODS, POD_LIFECYCLE, POD_WORKERS } from '@podwright/pod-workers-interface';
import { STATS_PROVIDER } from '@podwright/stats-interface';
import { evictionConfigSchema } from './eviction-config.js';
import { ThresholdEvictionManager } from './threshold-eviction-manager.js';

export const evictionModule = defineModule({
  name: '@podwright/eviction',
  provides: [EVICTION_MANAGER, NODE_PRESSURE],
  requires: [
    ...[STATS_PROVIDER, IMAGE_SERVICE, ACTIVE_PODS, ALLOCATED_RESOURCES, POD_WORKERS, POD_LIFECYCLE, CONTAINER_GC],
    ...[ADMISSION_HANDLERS, EVENT_RECORDER, CLOCK, LOGGER, METRICS],
  ],
  optional: [IMAGE_GC, CGROUP_STATS],
  config: evictionConfigSchema,
  register: (container) => {
    container.registerSingleton(ThresholdEvictionManager);
    container.register(EVICTION_MANAGER, { useToken: ThresholdEvictionManager }); // alias: all names give one instance
    container.register(NODE_PRESSURE, { useToken: ThresholdEvictionManager });
  },
});
