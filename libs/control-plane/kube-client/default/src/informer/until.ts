import { abortable } from '@podwright/concurrency';

/**
 * Yields the chunks of a stream until the signal aborts, then throws its reason, even if the stream does not notice.
 */
export async function* until(
  stream: AsyncIterable<Uint8Array>,
  signal: AbortSignal,
): AsyncGenerator<Uint8Array, void, undefined> {
  const iterator = stream[Symbol.asyncIterator]();
  try {
    for (;;) {
      const { done, value } = await abortable(Promise.resolve(iterator.next()), signal);
      if (done === true) return;
      yield value;
    }
  } finally {
    // Not awaited, because a stream that hangs in next() hangs in return() too; its errors no longer matter.
    void Promise.resolve(iterator.return?.()).catch(() => undefined);
  }
}
