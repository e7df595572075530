import type { HealthCheck } from '@podwright/server-interface';
import { goError, text, type Answer } from '@podwright/http-answer';

/**
 * Answers /healthz, /healthz?verbose, ?exclude=<name> and /healthz/<name> in exactly upstream's text. Returns undefined
 * for other paths. Source: kubernetes v1.36 staging/src/k8s.io/apiserver/pkg/server/healthz.
 */
export function healthzAnswer(
  checks: readonly HealthCheck[],
  { path, query }: HealthzRequest,
  observe: ObserveCheck = () => undefined,
): Answer | undefined {
  if (path === '/healthz') return allChecks(checks, query, observe);
  const single = checks.find(({ name }) => path === `/healthz/${name}`);
  if (single === undefined) return undefined;
  const health = single.check();
  return health.ok ? text(200, 'ok') : goError(500, `internal server error: ${health.reason}`);
}

/** Receives the result of each check that `/healthz` runs; excluded checks do not run. */
export type ObserveCheck = (name: string, ok: boolean) => void;

export interface HealthzRequest {
  readonly path: string;
  readonly query: URLSearchParams;
}

// Anybody may read this answer, so it names failed checks without their reasons.
function allChecks(checks: readonly HealthCheck[], query: URLSearchParams, observe: ObserveCheck): Answer {
  const excluded = new Set(query.getAll('exclude'));
  const lines: string[] = [];
  let failed = false;
  for (const { name, check } of checks) {
    if (excluded.delete(name)) {
      lines.push(`[+]${name} excluded: ok`);
      continue;
    }
    const { ok } = check();
    observe(name, ok);
    failed ||= !ok;
    lines.push(ok ? `[+]${name} ok` : `[-]${name} failed: reason withheld`);
  }
  if (excluded.size > 0) {
    const names = [...excluded].sort().map((name) => JSON.stringify(name));
    lines.push(`warn: some health checks cannot be excluded: no matches for ${names.join(',')}`);
  }
  if (failed) return goError(500, [...lines, 'healthz check failed'].join('\n'));
  const body = query.has('verbose') ? `${[...lines, 'healthz check passed'].join('\n')}\n` : 'ok';
  const { headers } = goError(200, '');
  return { status: 200, headers, body };
}
