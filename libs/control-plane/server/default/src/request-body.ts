import type { IncomingMessage } from 'node:http';
import type { Readable } from 'node:stream';
import { KubeletError, hasCode } from '@podwright/errors';
import { goError, type Answer } from '@podwright/http-answer';

const goneAway = 'the client went away before its request was complete';
const reason = 'RequestEntityTooLarge';

export const hasBody = (headers: IncomingMessage['headers']): boolean =>
  headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;

/**
 * Reads the body of a request whose upgrade was not served. Node has detached its HTTP parser by then, so only a body
 * with a Content-Length can be read. Rejects as {@link readBody}; a chunked body is `resource-exhausted`.
 */
export async function readUpgradeBody(
  { headers }: Pick<IncomingMessage, 'headers'>,
  socket: Readable,
  head: Uint8Array,
  maxBytes: number,
): Promise<Uint8Array> {
  const length = Number(headers['content-length'] ?? 0);
  if (headers['transfer-encoding'] !== undefined || length > maxBytes) throw tooLarge(maxBytes);
  const chunks = [head];
  let bytes = head.byteLength;
  while (bytes < length) {
    const chunk = (socket.read() ?? undefined) as Uint8Array | undefined;
    if (chunk !== undefined) {
      chunks.push(chunk);
      bytes += chunk.byteLength;
    } else if (socket.readableEnded || socket.destroyed) {
      throw new KubeletError(goneAway, { code: 'cancelled' });
    } else {
      await moreOf(socket);
    }
  }
  return Buffer.concat(chunks, length);
}

const moreOf = (socket: Readable): Promise<void> =>
  new Promise((resolve) => {
    const events = ['readable', 'end', 'close'];
    const done = (): void => {
      for (const event of events) socket.off(event, done);
      resolve();
    };
    for (const event of events) socket.on(event, done);
  });

/**
 * Reads a request's body to its end; rejects with `resource-exhausted` beyond the limit, `cancelled` when the client
 * goes away.
 */
export async function readBody(request: IncomingMessage, maxBytes: number): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  try {
    for await (const chunk of request as AsyncIterable<Uint8Array>) {
      bytes += chunk.byteLength;
      if (bytes > maxBytes) throw tooLarge(maxBytes);
      chunks.push(chunk);
    }
  } catch (error) {
    if (hasCode(error, 'resource-exhausted')) throw error;
    throw new KubeletError(goneAway, { code: 'cancelled', cause: error });
  }
  return Buffer.concat(chunks, bytes);
}

const tooLarge = (maxBytes: number): KubeletError =>
  new KubeletError(`request body is larger than ${maxBytes} bytes`, { code: 'resource-exhausted', reason });

/** The 413 answer for a body beyond the limit; undefined for every other error. */
export const bodyErrorAnswer = (error: unknown): Answer | undefined =>
  error instanceof KubeletError && error.reason === reason
    ? { ...goError(413, 'http: request body too large'), headers: { ...goError(413, '').headers, Connection: 'close' } }
    : undefined;
