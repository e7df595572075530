import { CLOCK, LOGGER, needs, optional, pick, RANDOM, type Needs } from '@podwright/assembly-interface';
import { RECENT_EVENTS } from '@podwright/events-interface';
import { LOCAL_OBJECTS } from '@podwright/local-objects-interface';
import { NODE_SOURCE } from '@podwright/node-status-interface';
import { POD_MANAGER } from '@podwright/pod-manager-interface';
import { KUBELET_PROCESS, SERVER_ROUTES } from '@podwright/server-interface';
import { STATUS_MANAGER } from '@podwright/status-interface';

export const localApiNeeds = needs({
  objects: LOCAL_OBJECTS,
  /** The pods of all sources. */
  pods: pick(POD_MANAGER, 'getPods', 'getPodByUid', 'getPodByFullName'),
  statuses: pick(STATUS_MANAGER, 'getPodStatus', 'watch'),
  /** The endpoints of the kubelet, which serve logs, exec, attach and port-forward. */
  routes: SERVER_ROUTES,
  /** Absent: there are no events. */
  events: optional(RECENT_EVENTS),
  /** Absent: there is no node. */
  node: optional(pick(NODE_SOURCE, 'getNode')),
  /** For the version. */
  kubelet: optional(KUBELET_PROCESS),
  clock: CLOCK,
  random: RANDOM,
  logger: LOGGER,
});
export type LocalApiNeeds = Needs<typeof localApiNeeds>;
