import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import type { Answer } from '@podwright/http-answer';
import { ClientDisconnect } from './client-disconnect.js';

// Where the words of Go's status line are others than those of Node.js.
const reasonsOfGo: Readonly<Partial<Record<number, string>>> = {
  413: 'Request Entity Too Large',
  414: 'Request URI Too Long',
  416: 'Requested Range Not Satisfiable',
};

// When the rest of a request body is larger than this, the connection closes instead of draining it.
const worthDrainingBytes = 256 * 1024;

/**
 * Sends an answer. Resolves when everything is written or the client has disconnected. Rejects with the error of a body
 * that fails: before the body's first piece nothing has been written; later the connection is destroyed, so that the
 * client does not take a part for the whole.
 */
export async function writeAnswer(response: ServerResponse, answer: Answer): Promise<void> {
  const { status, headers, body } = answer;
  const { method, complete } = response.req;
  response.statusMessage = reasonsOfGo[status] ?? '';
  const hangUp = !complete && !isShort(response.req.headers['content-length']);
  if (hangUp) response.shouldKeepAlive = false;
  // As in Go, only a connection that ends is spoken of.
  if (response.shouldKeepAlive && response.req.httpVersion === '1.1') response.removeHeader('Connection');
  try {
    if (typeof body === 'string' || body instanceof Uint8Array) {
      const bytes = typeof body === 'string' ? Buffer.from(body) : body;
      // A 304 gets none: it would state the length of the copy that the client already has.
      const length = status === 304 ? {} : { 'Content-Length': bytes.byteLength };
      response.writeHead(status, { ...headers, ...length }).end(bytes);
    } else if (method === 'HEAD') {
      response.writeHead(status, headers).end();
    } else {
      await writePieces(response, answer, body);
    }
    await over(response);
  } finally {
    if (hangUp) response.req.destroy();
    else response.req.resume();
  }
}

const isShort = (contentLength: string | undefined): boolean => {
  const length = Number(contentLength ?? Number.NaN);
  return length >= 0 && length <= worthDrainingBytes;
};

const over = async (response: ServerResponse): Promise<void> => {
  if (!response.writableFinished && !response.destroyed) await closed(response);
};

// When the client disconnects, `finish` is never emitted; `close` always is.
const closed = (response: ServerResponse): Promise<void> =>
  new Promise((resolve) => void response.once('finish', resolve).once('close', resolve));

async function writePieces(
  response: ServerResponse,
  { status, headers }: Answer,
  body: AsyncIterable<Uint8Array | string>,
): Promise<void> {
  const pieces = body[Symbol.asyncIterator]();
  const disconnect = new ClientDisconnect(response);
  try {
    for (;;) {
      const next = await disconnect.before(pieces.next());
      if (next === 'gone') return;
      if (!response.headersSent) response.writeHead(status, headers);
      if (next.done === true) break;
      if (!response.write(next.value)) await disconnect.before(once(response, 'drain'));
      if (response.destroyed) return;
    }
    response.end();
  } catch (error) {
    if (response.headersSent) response.destroy();
    throw error;
  } finally {
    // Not awaited: a pending `next()` settles only when the request's signal aborts.
    void Promise.resolve(pieces.return?.()).catch(() => undefined);
  }
}
