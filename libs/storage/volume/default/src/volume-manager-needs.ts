import { CLOCK, LOGGER, METRICS, needs, optional, pick, RANDOM, type Needs } from '@podwright/assembly-interface';
import { EVENT_RECORDER } from '@podwright/events-interface';
import { JOURNAL } from '@podwright/journal-interface';
import { KUBE_CLIENT } from '@podwright/kube-client-interface';
import { NODE_SOURCE, REGISTERED_NODE } from '@podwright/node-status-interface';
import { POD_LIFECYCLE } from '@podwright/pod-workers-interface';
import { ATTACH_LIMITS, MOUNT_TOOLS, VOLUME_CLAIMS, VOLUME_PLUGINS, VOLUME_PROBERS } from '@podwright/volume-interface';

export const volumeManagerNeeds = needs({
  plugins: VOLUME_PLUGINS,
  probers: VOLUME_PROBERS,
  claims: optional(VOLUME_CLAIMS),
  limits: optional(ATTACH_LIMITS),
  client: optional(pick(KUBE_CLIENT, 'get', 'patch')),
  node: optional(REGISTERED_NODE),
  journal: optional(JOURNAL),
  nodeSource: optional(pick(NODE_SOURCE, 'getNode', 'fetchNode')),
  mounts: optional(MOUNT_TOOLS),
  lifecycle: POD_LIFECYCLE,
  events: EVENT_RECORDER,
  clock: CLOCK,
  logger: LOGGER,
  metrics: METRICS,
  random: RANDOM,
});
export type VolumeManagerNeeds = Needs<typeof volumeManagerNeeds>;
