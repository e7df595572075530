import type { HealthCheck } from '@podwright/server-interface';
import { notFound } from '../../answer.js';
import { healthzAnswer, type ObserveCheck } from '../../healthz.js';
import type { Route } from '../../route.js';

export const ping: HealthCheck = { name: 'ping', check: () => ({ ok: true }) };

/** `/healthz` and `/healthz/<check>`. */
export function healthzRoutes(checks: readonly HealthCheck[], observe: ObserveCheck): readonly Route[] {
  const paths = ['/healthz', ...checks.map(({ name }) => `/healthz/${name}`)];
  return paths.map((path) => ({
    path,
    methods: 'any',
    metricPath: 'healthz',
    handle: (request) => healthzAnswer(checks, request, observe) ?? notFound,
  }));
}
