import type { HealthCheck } from '@podwright/server-interface';
import type { Answer } from './answer.js';

/**
 * The answer of /healthz, /healthz?verbose, ?exclude=<name> and /healthz/<name>, letter by letter as upstream's.
 * Source: kubernetes v1.36 staging/src/k8s.io/apiserver/pkg/server/healthz.
 */
export function healthzAnswer(checks: readonly HealthCheck[], url: URL): Answer | undefined {
  const single = url.pathname.slice('/healthz'.length).replace(/^\//, '');
  if (single !== '') {
    const check = checks.find(({ name }) => name === single);
    if (check === undefined) return undefined;
    const health = check.check();
    return health.ok ? text(200, 'ok') : text(500, `internal server error: ${health.reason}\n`);
  }
  const excluded = new Set(url.searchParams.getAll('exclude'));
  const lines: string[] = [];
  let failed = false;
  for (const { name, check } of checks) {
    if (excluded.delete(name)) {
      lines.push(`[+]${name} excluded: ok`);
      continue;
    }
    const health = check();
    failed ||= !health.ok;
    lines.push(health.ok ? `[+]${name} ok` : `[-]${name} failed: reason withheld`);
  }
  if (excluded.size > 0) lines.push(`warn: some health checks cannot be excluded: no matches for ${[...excluded].map((name) => `"${name}"`).join(',')}`);
  if (failed) return text(500, `${lines.join('\n')}\nhealthz check failed\n`);
  return url.searchParams.has('verbose') ? text(200, `${lines.join('\n')}\nhealthz check passed\n`) : text(200, 'ok');
}

const text = (status: number, body: string): Answer => ({
  status,
  headers: { 'Content-Type': 'text/plain; charset=utf-8', 'X-Content-Type-Options': 'nosniff' },
  body,
});
