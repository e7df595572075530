import { onAbort } from '@podwright/time';

/** One signal for the end of either; unlike AbortSignal.any it holds on to neither once `dispose()` was called. */
export function linkSignals(
  a: AbortSignal,
  b: AbortSignal | undefined,
): { readonly signal: AbortSignal; dispose(): void } {
  if (b === undefined) return { signal: a, dispose: () => undefined };
  const controller = new AbortController();
  const unsubscribes = [a, b].map((signal) => onAbort(signal, () => controller.abort(signal.reason)));
  const aborted = [a, b].find((signal) => signal.aborted);
  if (aborted !== undefined) controller.abort(aborted.reason);
  return { signal: controller.signal, dispose: () => unsubscribes.forEach((unsubscribe) => unsubscribe()) };
}
