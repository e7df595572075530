import { CLOCK, LOGGER, RANDOM, needs, optional, pick, type Needs } from '@podwright/assembly-interface';
import { CGROUP_STATS } from '@podwright/cgroup-stats-interface';
import { CONTAINER_LOGS } from '@podwright/container-logs-interface';
import { IMAGE_SERVICE } from '@podwright/cri-client-interface';
import { RECENT_EVENTS } from '@podwright/events-interface';
import { EXPLAINER } from '@podwright/explain-interface';
import { IMAGE_PULL_PROGRESS } from '@podwright/image-interface';
import { JOURNAL_READER } from '@podwright/journal-interface';
import { NODE_SOURCE } from '@podwright/node-status-interface';
import { POD_CACHE } from '@podwright/pod-cache-interface';
import { POD_MANAGER } from '@podwright/pod-manager-interface';
import { KUBELET_PROCESS } from '@podwright/server-interface';
import { STATS_PROVIDER } from '@podwright/stats-interface';
import { STATUS_MANAGER } from '@podwright/status-interface';
import { VOLUME_MANAGER } from '@podwright/volume-interface';

export const consoleNeeds = needs({
  clock: CLOCK,
  random: RANDOM,
  logger: LOGGER,
  pods: pick(POD_MANAGER, 'getPods', 'getPodByFullName'),
  statuses: pick(STATUS_MANAGER, 'getPodStatus', 'watch'),
  cache: pick(POD_CACHE, 'get'),
  node: pick(NODE_SOURCE, 'getNode'),
  images: pick(IMAGE_SERVICE, 'listImages'),
  stats: pick(STATS_PROVIDER, 'summary'),
  cgroups: pick(CGROUP_STATS, 'sample', 'samples', 'containerPath', 'machine', 'roots'),
  volumes: pick(VOLUME_MANAGER, 'getMountedVolumes'),
  /** With an address the console requires it and the journal: without them there is nothing to show. */
  explainer: optional(EXPLAINER),
  journal: optional(JOURNAL_READER),
  /** Without it pages have no logs. */
  logs: optional(CONTAINER_LOGS),
  /** Without it no pulls are in progress. */
  pulls: optional(IMAGE_PULL_PROGRESS),
  /** Without it pods have no events. */
  events: optional(RECENT_EVENTS),
  /** Without it the start of the process counts from the console's own. */
  kubelet: optional(pick(KUBELET_PROCESS, 'startedMs', 'version')),
});

export type ConsoleNeeds = Needs<typeof consoleNeeds>;

/** Without these there is nothing to show: a console that is switched on requires them. By what switches it on. */
export const neededToShow = { explainer: '--console-address', journal: '--console-address' } as const;

/** What the console works with once it is started. */
export type ConsoleParts = ConsoleNeeds & {
  readonly [K in keyof typeof neededToShow]: NonNullable<ConsoleNeeds[K]>;
};
