import { hasCode, messageOf } from '@podwright/errors';
import { endpointDisabled, goError, gzipped, type Answer } from '@podwright/http-answer';
import type { ServerRequest, ServerRoute } from '@podwright/server-interface';
import { FileServer, type FileServerDeps } from './files/file-server.js';
import { parseNodeLogQuery } from './query/node-log-query.js';
import { serviceLogs, type ServiceLogsDeps } from './query/service-logs.js';
import { validateNodeLogQuery } from './query/validate-node-log-query.js';

export interface NodeLogsDeps extends FileServerDeps, ServiceLogsDeps {
  readonly enabled: boolean;
  /** Whether query parameters select the logs of services; otherwise they are ignored. */
  readonly enableQuery: boolean;
}

/** zlib's fastest level. */
const bestSpeed = 1;

/**
 * `/logs/`: the files of the node's log directory, and log queries. Source: kubernetes v1.36 pkg/kubelet/kubelet.go
 * (Run).
 */
export function nodeLogsRoutes(deps: NodeLogsDeps): readonly ServerRoute[] {
  const common = { metricPath: 'logs', debugging: true };
  if (!deps.enabled) return [{ ...common, path: '/logs/', methods: 'any', handle: () => endpointDisabled('logs') }];
  const files = new FileServer(deps);
  const handle = (request: ServerRequest): Promise<Answer> =>
    deps.enableQuery ? answerQuery(deps, files, request) : serveFile(files, pathBelow(request), request);
  return [{ ...common, path: '/logs/{path...}', methods: ['GET'], produces: [], handle }];
}

async function answerQuery(deps: NodeLogsDeps, files: FileServer, request: ServerRequest): Promise<Answer> {
  let status = 400;
  try {
    const query = parseNodeLogQuery(request.query);
    if (query === undefined) return await serveFile(files, pathBelow(request), request);
    status = 406;
    await validateNodeLogQuery(query, deps.root);
    const [file] = query.files;
    if (file === undefined) return await serviceAnswer(serviceLogs(deps, query, request.signal), request);
    return await serveFile(files, file.startsWith('/') ? file : `/${file}`, request);
  } catch (error) {
    if (hasCode(error, 'invalid-argument')) return goError(status, messageOf(error));
    throw error;
  }
}

async function serviceAnswer(text: AsyncIterable<Uint8Array | string>, { headers }: ServerRequest): Promise<Answer> {
  const plain = { 'Content-Type': 'text/plain;charset=UTF-8' };
  // Exact match: with any other value the client gets an uncompressed answer.
  if (headers['accept-encoding'] !== 'gzip') return { status: 200, headers: plain, body: text };
  return { status: 200, headers: { ...plain, 'Content-Encoding': 'gzip' }, body: await gzipped(text, bestSpeed) };
}

const pathBelow = ({ path }: ServerRequest): string => path.slice('/logs'.length) || '/';

function serveFile(files: FileServer, path: string, { headers, query }: ServerRequest): Promise<Answer> {
  const search = query.toString();
  return files.serve(path, { headers, search: search === '' ? '' : `?${search}` });
}
