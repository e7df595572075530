import { processStartHeader, metricsAnswer } from '../metrics-routes.js';
import type { Route } from '../../route.js';
import type { HealthSlis } from './health-slis.js';

/** `/metrics/slis`; with `reset`, DELETE makes it begin anew, which a listener that knows nobody must not offer. */
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
