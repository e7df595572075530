import type { KubeHttpRequest, KubeHttpResponse, KubeTransport } from '@podwright/kube-client-interface';
import { maskApiBody } from '../redact/mask-api-body.js';
import type { RecordingTape } from '../tape/recording-tape.js';
import { apiKey, carriesSecrets, isEvent, isPod, isWatch } from './api-request.js';
import { standIn } from './stand-in.js';
import { tappedStream } from './tapped-stream.js';

/** The connection to an API server with its answers recorded. Requests are not: bodies and credentials stay out. */
export function recordedTransport(inner: KubeTransport, tape: RecordingTape): KubeTransport {
  const recorded: KubeTransport['send'] = (request, signal) => send(inner, request, signal, tape);
  return standIn(inner, (name, value) => (name === 'send' ? recorded : value));
}

async function send(
  inner: KubeTransport,
  request: KubeHttpRequest,
  signal: AbortSignal,
  tape: RecordingTape,
): Promise<KubeHttpResponse> {
  const begun = tape.begin({ seam: 'api', method: request.method, key: apiKey(request) });
  // As JSON, secrets can be found in the answer, and objects for snapshots; the client reads whatever the answer says it is.
  const asked =
    carriesSecrets(request) || asksForObjects(request)
      ? { ...request, headers: { ...request.headers, accept: 'application/json' } }
      : request;
  try {
    const response = await inner.send(asked, signal);
    const { status, headers } = response;
    if (status < 300 && isWatchOfPods(request)) tape.watchesPods = true;
    const stream = tape.opened(begun, { status, headers: keptHeaders(headers) });
    return { ...response, body: recordedBody(request, response, stream, tape) };
  } catch (error) {
    tape.failed(begun, error);
    throw error;
  }
}

const isWatchOfPods = (request: KubeHttpRequest): boolean => isPod(request) && isWatch(request);

const asksForObjects = ({ method, headers }: KubeHttpRequest): boolean =>
  method === 'GET' && headers['accept'] !== '*/*';

const keptNames = new Set(['content-type', 'retry-after', 'warning']);

const keptHeaders = (headers: Readonly<Record<string, string>>): Readonly<Record<string, string>> =>
  Object.fromEntries(Object.entries(headers).filter(([name]) => keptNames.has(name)));

/** A watch is recorded as it comes, where it may hold secrets line by line; any other body when it is whole. */
function recordedBody(
  request: KubeHttpRequest,
  { headers, body }: KubeHttpResponse,
  stream: number,
  tape: RecordingTape,
): AsyncIterable<Uint8Array> {
  const isJson = /^application\/json\b/.test(headers['content-type'] ?? '');
  const mask = carriesSecrets(request) || isEvent(request);
  const streams = isWatch(request);
  const keep = (bytes: Buffer): void => {
    if (bytes.length > 0) tape.item(stream, keptBody(bytes, isJson, mask ? request : undefined));
  };
  let pending: Buffer[] = [];
  return tappedStream(body, {
    item: (chunk) => {
      const bytes = Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength);
      // A line at a time, so that no character is cut in two.
      const end = !streams ? 0 : isJson || mask ? bytes.lastIndexOf(0x0a) + 1 : bytes.length;
      if (end > 0) {
        keep(Buffer.concat([...pending, bytes.subarray(0, end)]));
        pending = [];
      }
      if (end < bytes.length) pending.push(Buffer.from(bytes.subarray(end)));
    },
    end: (error) => {
      keep(Buffer.concat(pending));
      tape.closed(stream, error);
    },
  });
}

/** A text, or bytes where the server speaks protobuf or CBOR. */
function keptBody(bytes: Buffer, isJson: boolean, masked: KubeHttpRequest | undefined): unknown {
  if (masked !== undefined) return maskApiBody(masked, isJson ? bytes.toString('utf8') : undefined);
  return isJson ? bytes.toString('utf8') : new Uint8Array(bytes);
}
