import { CLOCK, defineModule, LOGGER, METRICS, RANDOM } from '@podwright/assembly-interface';
import { EVENT_RECORDER } from '@podwright/events-interface';
import { RELIST_CONTROL } from '@podwright/pleg-interface';
import { POD_CACHE } from '@podwright/pod-cache-interface';
import { POD_MEMORY } from '@podwright/pod-memory-interface';
import { POD_SYNCER } from '@podwright/pod-sync-interface';
import { POD_WORK_QUEUE, POD_WORKERS } from '@podwright/pod-workers-interface';
import { LanedPodWorkers } from './laned-pod-workers.js';
import { POD_LIFECYCLE_TABLE } from './pod-lifecycle-table.js';
import { podWorkersConfigSchema } from './pod-workers-config.js';

export const podWorkersModule = defineModule({
  name: '@podwright/pod-workers',
  provides: [POD_WORKERS],
  requires: [
    POD_SYNCER,
    POD_CACHE,
    POD_LIFECYCLE_TABLE,
    POD_MEMORY,
    POD_WORK_QUEUE,
    EVENT_RECORDER,
    CLOCK,
    RANDOM,
    LOGGER,
    METRICS,
  ],
  optional: [RELIST_CONTROL],
  config: podWorkersConfigSchema,
  register: (container) => {
    container.registerSingleton(LanedPodWorkers);
    container.register(POD_WORKERS, { useToken: LanedPodWorkers });
  },
});
