import { CLOCK, LOGGER, needs, optional, RANDOM, type Needs } from '@podwright/assembly-interface';
import { EVENT_RECORDER } from '@podwright/events-interface';
import { JOURNAL } from '@podwright/journal-interface';
import { POD_CHECKPOINTS } from '@podwright/pod-checkpoint-interface';
import { PROBERS } from '@podwright/probe-interface';
import { STATUS_MANAGER } from '@podwright/status-interface';

export const probeNeeds = needs({
  probers: PROBERS,
  statuses: STATUS_MANAGER,
  checkpoints: POD_CHECKPOINTS,
  events: EVENT_RECORDER,
  clock: CLOCK,
  random: RANDOM,
  logger: LOGGER,
  journal: optional(JOURNAL),
});
export type ProbeNeeds = Needs<typeof probeNeeds>;
