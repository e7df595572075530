import { onAbort } from '@podwright/time';
import type { LogReading } from './log-reading.js';

/**
 * Makes a log iterable. The signal that `open` gets aborts when reading ends: at the end of the log, when the request's
 * signal aborts, or on `return()`, even during a `next()` that waits for a line. Then all files close, also when nobody
 * iterated.
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
  // The client has left, so an error of closing concerns no one.
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
