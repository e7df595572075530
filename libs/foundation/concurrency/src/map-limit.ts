import { abortReason, onAbort } from '@podwright/time';

/**
 * Runs `task` for each item, at most `limit` at a time; resolves to the results in the order of the items. On the first
 * failure, or when `signal` aborts, it starts no further items, aborts the signal of the running tasks, and rejects
 * with the failure when they have ended.
 */
export async function mapLimit<T, R>(
  items: readonly T[],
  limit: number,
  task: (item: T, index: number, signal: AbortSignal) => Promise<R>,
  signal?: AbortSignal,
): Promise<R[]> {
  const results = new Array<R>(items.length);
  const failing = new AbortController();
  if (signal?.aborted === true) failing.abort(abortReason(signal));
  const unsubscribe = onAbort(signal, () => failing.abort(abortReason(signal as AbortSignal)));
  let next = 0;
  const work = async (): Promise<void> => {
    while (next < items.length && !failing.signal.aborted) {
      const index = next++;
      try {
        results[index] = await task(items[index] as T, index, failing.signal);
      } catch (error) {
        failing.abort(error);
      }
    }
  };
  await Promise.all(Array.from({ length: Math.min(Math.max(1, limit), items.length) }, work));
  unsubscribe();
  if (failing.signal.aborted) throw failing.signal.reason;
  return results;
}
