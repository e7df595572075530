import { messageOf } from '@podwright/errors';
import { encodeMetrics, negotiateFormat, type MetricsSource } from '@podwright/metrics';
import { goError, type Answer } from '../answer.js';
import type { Route, ServerRequest } from '../route.js';
import { gzipped } from './gzipped.js';
import { wantsGzip } from './wants-gzip.js';

/** What is served below `/metrics`; an absent source has no path. */
export interface MetricsSources {
  readonly metrics: MetricsSource;
  readonly cadvisorMetrics?: MetricsSource | undefined;
  readonly resourceMetrics?: MetricsSource | undefined;
  readonly probeMetrics?: MetricsSource | undefined;
  /** Told in a header of all pages but `/metrics`, so that scrapers know counters that began anew. */
  readonly startedMs: number;
}

/**
 * `/metrics` and the pages below it, in the format and encoding that the client asks for, made as fast as it reads.
 * Source: kubernetes v1.36 pkg/kubelet/server/server.go, component-base/metrics/http.go.
 */
export function metricsRoutes(sources: MetricsSources): readonly Route[] {
  const { metrics, cadvisorMetrics, resourceMetrics, probeMetrics } = sources;
  const headers = processStartHeader(sources.startedMs);
  const pages = [
    ['/metrics', metrics, {}],
    ['/metrics/cadvisor', cadvisorMetrics, headers],
    ['/metrics/resource', resourceMetrics, headers],
    ['/metrics/probes', probeMetrics, headers],
  ] as const;
  return pages.flatMap(([path, source, extra]) =>
    source === undefined
      ? []
      : [
          {
            path,
            methods: 'any',
            metricPath: path.slice(1),
            handle: async (request) => metricsAnswer(source, request, extra),
          } satisfies Route,
        ],
  );
}

export const processStartHeader = (startedMs: number): Readonly<Record<string, string>> => ({
  'Process-Start-Time-Unix': String(Math.floor(startedMs / 1000)),
});

/** One page. A source that cannot be read at all is 500, as nothing has been sent by then. */
export async function metricsAnswer(
  source: MetricsSource,
  { headers }: Pick<ServerRequest, 'headers'>,
  extra: Readonly<Record<string, string>> = {},
): Promise<Answer> {
  const { format, contentType } = negotiateFormat(headers.accept);
  const pieces = encodeMetrics(source, format);
  let first: IteratorResult<string | Uint8Array, void>;
  try {
    first = await pieces.next();
  } catch (error) {
    return goError(500, `An error has occurred while serving metrics:\n\n${messageOf(error)}`);
  }
  const body = startedWith(first, pieces);
  if (!wantsGzip(headers['accept-encoding'])) {
    return { status: 200, headers: { ...extra, 'Content-Type': contentType }, body };
  }
  const encoded = { ...extra, 'Content-Type': contentType, 'Content-Encoding': 'gzip' };
  return { status: 200, headers: encoded, body: await gzipped(body) };
}

async function* startedWith<T>(first: IteratorResult<T, void>, rest: AsyncGenerator<T, void>): AsyncGenerator<T, void> {
  if (first.done === true) return;
  yield first.value;
  yield* rest;
}
