import type { HealthCheck } from '@podwright/server-interface';
import type { EndpointsNeeds } from '../endpoints-needs.js';
import { ping } from './healthz-routes.js';
import { logHealth } from './log-health.js';

/** All checks of /healthz in upstream's order: the server's own, the early ones, those of other modules. */
export function healthChecks({
  clock,
  kubelet,
  checks,
}: Pick<EndpointsNeeds, 'checks' | 'kubelet'> & {
  readonly clock: Pick<EndpointsNeeds['clock'], 'monotonic'>;
}): readonly HealthCheck[] {
  return [
    ping,
    ...(kubelet === undefined ? [] : [logHealth(() => kubelet.flushLogs(), clock)]),
    ...checks.filter(({ early }) => early === true),
    ...checks.filter(({ early }) => early !== true),
  ];
}
