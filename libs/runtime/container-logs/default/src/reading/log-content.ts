import { onAbort } from '@podwright/time';
import type { LogReading } from './log-reading.js';

/**
 * A log as it is iterated. `open` gets a signal that aborts when the reader has gone in any way: by the request's signal, by
 * `return()`, even while it waits for a line, or at the end. Then everything is freed, also of a log that was never iterated.
 */
export async function logContent(
  signal: AbortSignal,
  open: (signal: AbortSignal) => Promise<LogReading>,
): Promise<AsyncIterable<Uint8Array>> {
  const leaving = new AbortController();
  const unsubscribe = onAbort(signal, () => leaving.abort(signal.reason));
  const reading = await open(leaving.signal).catch((error: unknown) => {
    unsubscribe();
    throw error;
  });
  const leave = async (): Promise<IteratorReturnResult<undefined>> => {
    unsubscribe();
    leaving.abort();
    await reading.close();
    return { done: true, value: undefined };
  };
  // Closing fails of nothing that a reader who has gone should hear of.
  onAbort(leaving.signal, () => void leave().catch(() => undefined));
  if (signal.aborted) leaving.abort(signal.reason);
  const iterator: AsyncIterator<Uint8Array, undefined> = {
    next: async () => {
      if (leaving.signal.aborted) return leave();
      try {
        const value = await reading.next();
        return value === undefined ? await leave() : { done: false, value };
      } catch (error) {
        await leave();
        throw error;
      }
    },
    return: leave,
  };
  return { [Symbol.asyncIterator]: () => iterator };
}
