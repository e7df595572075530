import { messageOf } from '@podwright/errors';
import { encodeMetrics, negotiateFormat, type MetricsSource } from '@podwright/metrics';
import { gzipped, goError, type Answer } from '@podwright/http-answer';
import type { MetricsPage, Route, ServerRequest } from '@podwright/server-interface';
import { wantsGzip } from './wants-gzip.js';

/**
 * Serves `/metrics` and the pages below it in the format and encoding that the client asks for, and encodes only as
 * fast as the client reads. The pages have a header with the start time of the process, so that scrapers notice reset
 * counters.
 * Source: kubernetes v1.36 pkg/kubelet/server/server.go, component-base/metrics/http.go.
 */
export function metricsRoutes(
  metrics: MetricsSource,
  pages: readonly MetricsPage[],
  startedMs: number,
): readonly Route[] {
  const headers = processStartHeader(startedMs);
  const page = (path: string, source: MetricsSource): Route => ({
    path,
    methods: 'any',
    metricPath: path.slice(1),
    handle: (request) => metricsAnswer(source, request, headers),
  });
  return [page('/metrics', metrics), ...pages.map(({ name, source }) => page(`/metrics/${name}`, source))];
}

export const processStartHeader = (startedMs: number): Readonly<Record<string, string>> => ({
  'Process-Start-Time-Unix': String(Math.floor(startedMs / 1000)),
});

/** Answers with one page; 500 when the source fails before its first piece, because nothing has been sent by then. */
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
