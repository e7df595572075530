import type { HealthCheck } from '@podwright/server-interface';
import { notFound } from '@podwright/http-answer';
import { healthzAnswer, type ObserveCheck } from '../../healthz.js';
import type { Route } from '@podwright/server-interface';

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
