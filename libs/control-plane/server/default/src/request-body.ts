import type { IncomingMessage } from 'node:http';
import { KubeletError, hasCode } from '@podwright/errors';
import { goError, type Answer } from './answer.js';

const reason = 'RequestEntityTooLarge';

/** Reads a request's body to its end; rejects with `resource-exhausted` beyond the limit, `cancelled` when the client goes away. */
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
    throw new KubeletError('the client went away before its request was complete', { code: 'cancelled', cause: error });
  }
  return Buffer.concat(chunks, bytes);
}

const tooLarge = (maxBytes: number): KubeletError =>
  new KubeletError(`request body is larger than ${maxBytes} bytes`, { code: 'resource-exhausted', reason });

/** What a client gets whose body was too large; undefined for every other error. */
export const bodyErrorAnswer = (error: unknown): Answer | undefined =>
  error instanceof KubeletError && error.reason === reason
    ? { ...goError(413, 'http: request body too large'), headers: { ...goError(413, '').headers, Connection: 'close' } }
    : undefined;
