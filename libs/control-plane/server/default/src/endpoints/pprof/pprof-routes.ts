import { promisify } from 'node:util';
import { messageOf } from '@podwright/errors';
import { goError, text, type Answer } from '../../answer.js';
import type { Route, ServerRequest } from '../../route.js';
import { pprofIndex } from './pprof-index.js';
import type { RuntimeProfiler } from './v8-profiler.js';

export interface PprofRoutesDeps {
  readonly profiler: RuntimeProfiler;
  /** Of the process; the program first. */
  readonly commandLine: readonly string[];
}

const defaultSeconds = 30;
/** Sampling of the heap begins when it is asked for, so that "at once" would be nothing. */
const defaultHeapSeconds = 5;
/** What was sampled is kept in memory until the end. */
const mostSeconds = 600;

/**
 * `/debug/pprof/`, as far as Node can tell: `profile`, `heap` and `allocs` as gzipped pprof messages, `cmdline` and `symbol`.
 * What only Go has (`goroutine`, `block`, `mutex`, `threadcreate`, `trace`) is an unknown profile. One profile at a time.
 * Source: kubernetes v1.36 pkg/kubelet/server/server.go (InstallProfilingHandler), Go net/http/pprof.
 */
export function pprofRoutes({ profiler, commandLine }: PprofRoutesDeps): readonly Route[] {
  let isProfiling = false;
  const profile = async (name: string, request: ServerRequest): Promise<Answer> => {
    const asked = request.query.get('seconds');
    const seconds = name === 'profile' ? (positive(asked) ?? defaultSeconds) : heapSeconds(asked);
    if (seconds === undefined) return failure(400, 'invalid value for "seconds" - must be a positive integer');
    if (seconds > mostSeconds) return failure(400, `a profile takes at most ${mostSeconds} seconds`);
    if (positive(request.query.get('debug')) !== undefined) return failure(400, 'there is no form but debug=0');
    if (isProfiling) return failure(500, 'Could not enable CPU profiling: cpu profiling already in use');
    isProfiling = true;
    try {
      const { signal } = request;
      const durationMs = seconds * 1000;
      if (name === 'profile') return await profileAnswer(name, await profiler.cpu({ durationMs, signal }));
      const withFreed = name === 'allocs';
      return await profileAnswer(name, await profiler.heap({ durationMs, signal, withFreed }));
    } catch (error) {
      // Nobody waits for it any more: no fault of ours.
      if (request.signal.aborted) return failure(500, messageOf(error));
      throw error;
    } finally {
      isProfiling = false;
    }
  };
  const handle: Route['handle'] = (request) => {
    const { name = '' } = request.parameters;
    if (name === '') return pprofIndex();
    if (name === 'cmdline') return plain(commandLine.join('\0'));
    // No addresses here, and names need none.
    if (name === 'symbol') return plain('num_symbols: 1\n');
    return ['profile', 'heap', 'allocs'].includes(name) ? profile(name, request) : failure(404, 'Unknown profile');
  };
  return [{ path: '/debug/pprof/{name...}', methods: ['GET'], metricPath: 'debug', handle }];
}

async function profileAnswer(name: string, message: Uint8Array): Promise<Answer> {
  const { gzip } = await import('node:zlib');
  const headers = {
    'X-Content-Type-Options': 'nosniff',
    'Content-Type': 'application/octet-stream',
    'Content-Disposition': `attachment; filename="${name}"`,
  };
  return { status: 200, headers, body: await promisify(gzip)(message) };
}

const plain = (body: string): Answer => ({
  ...text(200, body),
  headers: { 'X-Content-Type-Options': 'nosniff', 'Content-Type': 'text/plain; charset=utf-8' },
});

const failure = (status: number, message: string): Answer => {
  const answer = goError(status, message);
  return { ...answer, headers: { ...answer.headers, 'X-Go-Pprof': '1' } };
};

const positive = (value: string | null): number | undefined =>
  value !== null && /^\+?\d{1,15}$/.test(value) && Number(value) > 0 ? Number(value) : undefined;
const heapSeconds = (value: string | null): number | undefined =>
  value === null || value === '' ? defaultHeapSeconds : positive(value);
