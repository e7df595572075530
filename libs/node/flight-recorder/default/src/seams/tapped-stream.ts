/** Who learns what comes through a stream. */
export interface StreamTap<T> {
  readonly item: (item: T) => void;
  /** Once, when the stream has ended, has failed or was left. */
  readonly end: (error?: unknown) => void;
}

/**
 * Passes a stream on. No generator: one that was never begun would not pass on `return()`, and the stream would stay
 * open.
 */
export function tappedStream<T>(items: AsyncIterable<T>, tap: StreamTap<T>): AsyncIterableIterator<T, undefined> {
  const inner = items[Symbol.asyncIterator]() as AsyncIterator<T, undefined>;
  let ended = false;
  const end = (error?: unknown): void => {
    if (ended) return;
    ended = true;
    tap.end(error);
  };
  const stream: AsyncIterableIterator<T, undefined> = {
    next: async () => {
      try {
        const step = await inner.next();
        if (step.done === true) end();
        else if (!ended) tap.item(step.value);
        return step;
      } catch (error) {
        end(error);
        throw error;
      }
    },
    return: async () => {
      end();
      return (await inner.return?.()) ?? { done: true, value: undefined };
    },
    [Symbol.asyncIterator]: () => stream,
  };
  return stream;
}
