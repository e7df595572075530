import { abortable } from '@podwright/concurrency';

/**
 * The chunks of a stream until the signal aborts, then its reason is thrown: also where the stream itself does not notice.
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
    // Not waited for, as a stream that hangs in next() hangs in return() too; what its end throws says nothing new.
    void Promise.resolve(iterator.return?.()).catch(() => undefined);
  }
}
