import { CLOCK, LOGGER, METRICS, needs, optional, pick, RANDOM, type Needs } from '@podwright/assembly-interface';
import {
  HEALTH_CHECKS,
  KUBELET_PROCESS,
  LOCAL_ROUTES,
  METRICS_PAGES,
  SERVER_ROUTES,
} from '@podwright/server-interface';

/** What the server's own endpoints read, and what other modules contribute. */
export const endpointsNeeds = needs({
  clock: CLOCK,
  random: RANDOM,
  logger: LOGGER,
  metrics: pick(METRICS, 'gather'),
  /** Endpoints of other modules. */
  routes: SERVER_ROUTES,
  /** Endpoints that only the local API's listeners serve. */
  localRoutes: LOCAL_ROUTES,
  /** Pages below `/metrics`. */
  pages: METRICS_PAGES,
  /** Checks of `/healthz` beside the server's own. */
  checks: HEALTH_CHECKS,
  /** For `/configz`, `/flagz`, `/statusz`, `/debug/flags/v` and the check `log`. Absent: these are not served. */
  kubelet: optional(KUBELET_PROCESS),
});
export type EndpointsNeeds = Needs<typeof endpointsNeeds>;
