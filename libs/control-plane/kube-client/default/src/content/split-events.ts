import { messageOf } from '@podwright/errors';
import { garbledWatch } from '../informer/watch-errors.js';

/**
 * Finds ends of events in a stream. Gets the bytes that follow those of the last call, and returns how many of them
 * complete the event; undefined when all belong to it and it is not complete. After a number, the next event begins.
 */
export type FindEventEnd = (bytes: Buffer) => number | undefined;

/** Maximum size of one event in bytes; fits an object of 3 MiB, the API server's maximum, in any escaping. */
export const maxEventBytes = 32 * 1024 * 1024;

/**
 * Splits the body of a watch into events. Throws `data-loss` where it finds no end, or none soon enough. Bytes after the
 * last complete event were cut off with the connection; the next watch repeats that event.
 */
export async function* splitEvents(
  body: AsyncIterable<Uint8Array>,
  findEnd: FindEventEnd,
): AsyncGenerator<Buffer, void, undefined> {
  let parts: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of body) {
    let rest = Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength);
    for (let end = endIn(rest, findEnd); end !== undefined; end = endIn(rest, findEnd)) {
      yield parts.length === 0 ? rest.subarray(0, end) : Buffer.concat([...parts, rest.subarray(0, end)]);
      parts = [];
      bytes = 0;
      rest = rest.subarray(end);
    }
    bytes += rest.byteLength;
    if (bytes > maxEventBytes) throw garbledWatch(`an event is larger than ${maxEventBytes} bytes`);
    if (rest.byteLength > 0) parts.push(rest);
  }
}

function endIn(bytes: Buffer, findEnd: FindEventEnd): number | undefined {
  try {
    return findEnd(bytes);
  } catch (error) {
    throw garbledWatch(`unable to decode an event from the watch stream: ${messageOf(error)}`, error);
  }
}
