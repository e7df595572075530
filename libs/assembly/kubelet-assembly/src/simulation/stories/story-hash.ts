import { createHash } from 'node:crypto';
import type { Stage } from './perform-act.js';

/** Of all calls, requests and answers of a story, and of what was noted: equal when it is told again. */
export function hashOf(
  { runtime, server, dir }: Pick<Stage, 'runtime' | 'server' | 'dir'>,
  trace: readonly string[],
): string {
  const hash = createHash('sha256');
  // A file that is being written has the process and a running number in its name.
  const add = (line: string): void =>
    void hash.update(`${line.replaceAll(dir, 'DIR').replace(/\.\d+-\d+(?=')/g, '.NEW')}\n`);
  for (const { rpc, subject, startedAtMs, outcome } of runtime.calls.all) {
    add(`${startedAtMs} ${rpc} ${subject} ${outcome}`);
  }
  for (const { atMs, user, method, path, query, body, code } of server.audit.entries) {
    add(`${atMs} ${user} ${method} ${path}?${query.toString()} ${code} ${body}`);
  }
  for (const line of trace) add(line);
  return hash.digest('hex');
}
