import { hasCode, messageOf } from '@podwright/errors';
import type { Clock } from '@podwright/time';
import { fileBody } from '../files/file-body.js';
import { journalArguments } from './journal-arguments.js';
import type { NodeLogQuery } from './node-log-query.js';
import { openLogEntry } from '../files/open-log-entry.js';
import type { RunProgram } from './run-program.js';

export interface ServiceLogsDeps {
  readonly root: string;
  readonly run: RunProgram;
  readonly clock: Pick<Clock, 'deadline'>;
}

const timeLimitMs = 30_000;
/** Far more than the names of all units need. */
const mostUnitBytes = 4 * 1024 * 1024;

/**
 * The logs of services: from the journal if it knows the service, otherwise from files. Reports errors as lines of
 * text, because the status has been sent by then. Ends after 30 s at the latest.
 * Source: kubernetes v1.36 pkg/kubelet/kubelet_server_journal.go (Copy).
 */
export async function* serviceLogs(
  deps: ServiceLogsDeps,
  { services, options }: Pick<NodeLogQuery, 'services' | 'options'>,
  parent: AbortSignal,
): AsyncGenerator<Uint8Array | string> {
  const deadline = deps.clock.deadline(timeLimitMs, parent);
  try {
    const { signal } = deadline;
    const units = await unitNames(deps.run, signal);
    const isNative = (service: string): boolean => units.includes(`${service}.service`);
    const native = services.filter(isNative);
    const inFiles = services.filter((service) => !isNative(service));
    if (native.length > 0) yield* journal(deps.run, journalArguments(native, options), options.boot ?? 0, signal);
    if (inFiles.length === 0) return;
    if (Object.keys(options).length > 0) {
      const names = `[${inFiles.join(' ')}]`;
      yield `\noptions present and query resolved to log files for ${names}\ntry without specifying options\n`;
      return;
    }
    for (const service of inFiles) yield* fileOf(deps.root, service, signal);
  } finally {
    deadline.dispose();
  }
}

// Runs once for all services; upstream runs it for each.
async function unitNames(run: RunProgram, signal: AbortSignal): Promise<string> {
  const { output, exitCode } = run('journalctl', ['--field', '_SYSTEMD_UNIT'], signal);
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of output) {
    bytes += chunk.length;
    if (bytes <= mostUnitBytes) chunks.push(chunk);
  }
  return (await exitCode) === 0 ? Buffer.concat(chunks).toString() : '';
}

async function* journal(
  run: RunProgram,
  args: readonly string[],
  boot: number,
  signal: AbortSignal,
): AsyncGenerator<Uint8Array | string> {
  const { output, exitCode } = run('journalctl', args, signal);
  yield* output;
  if ((await exitCode) === undefined && !signal.aborted && boot === 0) yield '\nerror: journal output not available\n';
}

async function* fileOf(root: string, service: string, signal: AbortSignal): AsyncGenerator<Uint8Array | string> {
  if (signal.aborted) return;
  try {
    for (const name of [service, `${service}.log`, `${service}/${service}.log`]) {
      const content = await contentOf(root, name);
      if (content === undefined) continue;
      for await (const chunk of content) {
        if (signal.aborted) throw signal.reason;
        yield chunk as Uint8Array;
      }
      return;
    }
  } catch (error) {
    yield `\nerror getting log for ${service}: ${messageOf(error)}\n`;
    return;
  }
  yield `\nlog not found for ${service}\n`;
}

/** Undefined when there is no such file, or it is a directory, which may contain the next candidate. */
async function contentOf(root: string, name: string): Promise<AsyncIterable<unknown> | undefined> {
  try {
    const { handle, stats } = await openLogEntry(root, name, 'contain');
    if (stats.isFile()) return fileBody(handle, [{ start: 0, length: stats.size }]);
    await handle.close();
    return undefined;
  } catch (error) {
    if (hasCode(error, 'not-found')) return undefined;
    throw error;
  }
}
