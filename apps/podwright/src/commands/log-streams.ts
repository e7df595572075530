import { messageOf } from '@podwright/errors';
import { ApiError } from '../client/api-error.js';
import type { Query } from '../client/api-client.js';
import type { CommandContext } from './command.js';

export interface LogSource {
  /** The pod's path. */
  readonly path: string;
  readonly pod: string;
  readonly container: string;
}

export interface LogOptions {
  readonly query: Query;
  readonly follow: boolean;
  readonly prefix: boolean;
  readonly ignoreErrors: boolean;
}

// Upstream's numbers: a followed container may take this long until it has started.
const retryPeriodMs = 1_000;
const runningTimeoutMs = 20_000;

/** Copies logs to stdout: one after the other, or all at once when they are followed. Lines are never mixed. */
export async function copyLogs(
  context: CommandContext,
  sources: readonly LogSource[],
  options: LogOptions,
): Promise<void> {
  if (options.follow) {
    await Promise.all(sources.map((source) => follow(context, source, options)));
    return;
  }
  for (const source of sources) {
    try {
      await copy(context, source, options);
    } catch (error) {
      if (!options.ignoreErrors) throw error;
      await context.io.err(`error: ${messageOf(error)}\n`);
    }
  }
}

/** Tries again while the server refuses, as it does until the container has started. */
async function follow(context: CommandContext, source: LogSource, options: LogOptions): Promise<void> {
  const { clock, signal, err } = context.io;
  const giveUpAt = clock.monotonic() + runningTimeoutMs;
  for (;;) {
    try {
      return await copy(context, source, options);
    } catch (error) {
      if (signal.aborted) throw error;
      if (options.ignoreErrors) return err(`error: ${messageOf(error)}\n`);
      if (!(error instanceof ApiError) || clock.monotonic() >= giveUpAt) throw error;
      await err(`${error.message}\n`);
      await clock.sleep(retryPeriodMs, signal);
    }
  }
}

async function copy({ client, io }: CommandContext, source: LogSource, options: LogOptions): Promise<void> {
  const { path, pod, container } = source;
  const query = { ...options.query, container };
  const response = await client.open('GET', `${path}/log`, { query, signal: io.signal });
  if (!options.prefix) {
    for await (const chunk of response as AsyncIterable<Buffer>) await io.out(chunk);
    return;
  }
  const prefix = Buffer.from(`[pod/${pod}/${container}] `);
  let rest = Buffer.alloc(0);
  for await (const chunk of response as AsyncIterable<Buffer>) {
    rest = Buffer.concat([rest, chunk]);
    const lines: Buffer[] = [];
    for (let end = rest.indexOf(10); end !== -1; end = rest.indexOf(10)) {
      lines.push(prefix, rest.subarray(0, end + 1));
      rest = rest.subarray(end + 1);
    }
    if (lines.length > 0) await io.out(Buffer.concat(lines));
  }
  if (rest.length > 0) await io.out(Buffer.concat([prefix, rest]));
}
