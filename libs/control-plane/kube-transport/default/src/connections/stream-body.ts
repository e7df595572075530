import type { Readable } from 'node:stream';

type Chunks = AsyncIterator<Uint8Array, undefined>;

/**
 * Adapts the body of an answer to the interface: leaving it, even before the first byte, cancels the rest; a truncated
 * body is an error, not the end. `broken` returns that error; `cancel` notifies the server.
 */
export function streamBody(
  stream: Readable & { readonly aborted?: boolean; readonly rstCode?: number },
  broken: () => Error,
  cancel: () => void,
): AsyncIterable<Uint8Array> {
  let chunks: Chunks | undefined;
  const whole = (): boolean => stream.readableEnded && stream.aborted !== true && (stream.rstCode ?? 0) === 0;
  const leave = (): void => {
    if (!whole()) cancel();
    stream.destroy();
  };
  const next = async (): Promise<IteratorResult<Uint8Array, undefined>> => {
    chunks ??= (stream as AsyncIterable<Uint8Array>)[Symbol.asyncIterator]() as Chunks;
    let result: IteratorResult<Uint8Array, undefined>;
    try {
      result = await chunks.next();
    } catch {
      // Node's own error only says that the stream ended too early.
      throw broken();
    }
    if (result.done === true && !whole()) throw broken();
    return result;
  };
  const iterator = {
    next,
    return: async (): Promise<IteratorResult<Uint8Array, undefined>> => {
      leave();
      return { done: true, value: undefined };
    },
  };
  return { [Symbol.asyncIterator]: () => iterator };
}
