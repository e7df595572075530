import { promisify } from 'node:util';
import { messageOf } from '@podwright/errors';
import { endpointDisabled, goError, text, type Answer } from '@podwright/http-answer';
import type { Route, ServerRequest, ServerRoute } from '@podwright/server-interface';
import { pprofIndex } from './pprof-index.js';
import type { RuntimeProfiler } from './v8-profiler.js';

export interface PprofRoutesDeps {
  readonly enabled: boolean;
  readonly profiler: RuntimeProfiler;
  /** Command line of the process, the program first. */
  readonly commandLine: readonly string[];
}

const defaultSeconds = 30;
/** Heap sampling starts with the request, so a profile without a duration would be empty. */
const defaultHeapSeconds = 5;
/** Limits the duration, because samples stay in memory until the end. */
const mostSeconds = 600;

/**
 * `/debug/pprof/`, as far as Node supports it: `profile`, `heap` and `allocs` as gzipped pprof messages, `cmdline` and
 * `symbol`. Profiles that only Go has (`goroutine`, `block`, `mutex`, `threadcreate`, `trace`) are unknown. One profile
 * at a time.
 * Source: kubernetes v1.36 pkg/kubelet/server/server.go (InstallProfilingHandler), Go net/http/pprof.
 */
export function pprofRoutes({ enabled, profiler, commandLine }: PprofRoutesDeps): readonly ServerRoute[] {
  const common = { metricPath: 'debug', debugging: true };
  if (!enabled) {
    return [{ ...common, path: '/debug/pprof/', methods: 'any', handle: () => endpointDisabled('profiling') }];
  }
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
      // The client has left: not our failure.
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
    // Profiles contain names, not addresses, so there are no symbols to look up.
    if (name === 'symbol') return plain('num_symbols: 1\n');
    return ['profile', 'heap', 'allocs'].includes(name) ? profile(name, request) : failure(404, 'Unknown profile');
  };
  return [{ ...common, path: '/debug/pprof/{name...}', methods: ['GET'], produces: [], handle }];
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
