import { processStartHeader, metricsAnswer } from '../metrics-routes.js';
import type { Route } from '@podwright/server-interface';
import type { HealthSlis } from './health-slis.js';

/**
 * Serves `/metrics/slis`. With `reset`, DELETE clears its metrics; a listener without authentication must not set it.
 */
export function slisRoutes(
  slis: HealthSlis,
  startedMs: number,
  options: { readonly reset: boolean },
): readonly Route[] {
  const plain = { 'Content-Type': 'text/plain; charset=utf-8' };
  return [
    {
      path: '/metrics/slis',
      methods: 'any',
      handle: (request) => {
        if (request.method !== 'DELETE' || !options.reset) {
          return metricsAnswer(slis.source, request, processStartHeader(startedMs));
        }
        slis.reset();
        return { status: 200, headers: plain, body: 'metrics reset\n' };
      },
    },
  ];
}
