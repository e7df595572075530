import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import type { Answer } from './answer.js';
import { Departure } from './departure.js';

// A body that nobody has read and that is not soon over is not waited for.
const worthDrainingBytes = 256 * 1024;

/**
 * Sends an answer and resolves when it is on its way or the client has gone. Rejects with the error of a body that fails: before
 * its first piece nothing has been written, later the connection has been cut, so that nobody takes it for whole.
 */
export async function writeAnswer(response: ServerResponse, answer: Answer): Promise<void> {
  const { status, headers, body } = answer;
  const { method, complete } = response.req;
  const hangUp = !complete && !isShort(response.req.headers['content-length']);
  if (hangUp) response.shouldKeepAlive = false;
  try {
    if (typeof body === 'string' || body instanceof Uint8Array) {
      const bytes = typeof body === 'string' ? Buffer.from(body) : body;
      // Not of a 304: there it would be the length of what the client has already.
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

// `finish` does not come when the client goes away, `close` always does.
const closed = (response: ServerResponse): Promise<void> =>
  new Promise((resolve) => void response.once('finish', resolve).once('close', resolve));

async function writePieces(
  response: ServerResponse,
  { status, headers }: Answer,
  body: AsyncIterable<Uint8Array | string>,
): Promise<void> {
  const pieces = body[Symbol.asyncIterator]();
  const departure = new Departure(response);
  try {
    for (;;) {
      const next = await departure.before(pieces.next());
      if (next === 'gone') return;
      if (!response.headersSent) response.writeHead(status, headers);
      if (next.done === true) break;
      if (!response.write(next.value)) await departure.before(once(response, 'drain'));
      if (response.destroyed) return;
    }
    response.end();
  } catch (error) {
    if (response.headersSent) response.destroy();
    throw error;
  } finally {
    // Not awaited: a piece that is still being waited for comes, or fails, by the request's signal.
    void Promise.resolve(pieces.return?.()).catch(() => undefined);
  }
}
