import { ALLOCATED_RESOURCES } from '@podwright/allocation-interface';
import { CLOCK, LOGGER, METRICS, needs, optional, pick, type Needs } from '@podwright/assembly-interface';
import { CGROUP_STATS } from '@podwright/cgroup-stats-interface';
import { CONTAINER_GC } from '@podwright/container-gc-interface';
import { IMAGE_SERVICE } from '@podwright/cri-client-interface';
import { EVENT_RECORDER } from '@podwright/events-interface';
import { IMAGE_GC } from '@podwright/image-gc-interface';
import { JOURNAL } from '@podwright/journal-interface';
import { ACTIVE_PODS, POD_LIFECYCLE, POD_WORKERS } from '@podwright/pod-workers-interface';
import { STATS_PROVIDER } from '@podwright/stats-interface';

export const evictionNeeds = needs({
  stats: pick(STATS_PROVIDER, 'summary'),
  images: pick(IMAGE_SERVICE, 'imageFsInfo'),
  activePods: ACTIVE_PODS,
  allocated: pick(ALLOCATED_RESOURCES, 'withAllocation'),
  workers: pick(POD_WORKERS, 'killPodNow'),
  lifecycle: pick(POD_LIFECYCLE, 'isFinished', 'isKnownTerminated', 'shouldRuntimeBeRemoved'),
  containerGc: pick(CONTAINER_GC, 'garbageCollect'),
  events: EVENT_RECORDER,
  clock: CLOCK,
  logger: LOGGER,
  metrics: METRICS,
  /** Without it the eviction manager removes no images. */
  imageGc: optional(pick(IMAGE_GC, 'deleteUnusedImages')),
  /** Needed for `kernelMemcgNotification` only. */
  cgroups: optional(pick(CGROUP_STATS, 'roots')),
  journal: optional(JOURNAL),
});

export type EvictionNeeds = Needs<typeof evictionNeeds>;
