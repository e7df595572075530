import { CLOCK, LOGGER, METRICS, needs, optional, RANDOM, type Needs } from '@podwright/assembly-interface';
import { CACHE_VOUCHING } from '@podwright/evented-pleg-interface';
import { EVENT_RECORDER } from '@podwright/events-interface';
import { JOURNAL } from '@podwright/journal-interface';
import { RELIST_CONTROL } from '@podwright/pleg-interface';
import { POD_CACHE } from '@podwright/pod-cache-interface';
import { POD_CHECKPOINTS } from '@podwright/pod-checkpoint-interface';
import { POD_SYNCER } from '@podwright/pod-sync-interface';
import { POD_WORK_QUEUE } from '@podwright/pod-workers-interface';
import { POD_LIFECYCLE_TABLE } from './pod-lifecycle-table.js';

/** Dependencies of the pod workers. */
export const podWorkersNeeds = needs({
  /** Created with the lifecycle, which the syncer's own dependencies need. */
  syncer: POD_SYNCER,
  cache: POD_CACHE,
  table: POD_LIFECYCLE_TABLE,
  checkpoints: POD_CHECKPOINTS,
  queue: POD_WORK_QUEUE,
  events: EVENT_RECORDER,
  clock: CLOCK,
  random: RANDOM,
  logger: LOGGER,
  metrics: METRICS,
  /** Without it, a pod under termination that was synced recently waits for the next relist. */
  relist: optional(RELIST_CONTROL),
  /** Without it, the sync of an unchanged pod waits for a relist as well. */
  vouching: optional(CACHE_VOUCHING),
  journal: optional(JOURNAL),
});
export type PodWorkersNeeds = Needs<typeof podWorkersNeeds>;
