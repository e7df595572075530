import { onAbort } from './on-abort.js';

/** A signal that aborts when one of its parents does, or by its own `abort`. */
export interface LinkedSignal {
  readonly signal: AbortSignal;
  /** Aborts this signal, not its parents. */
  abort(reason?: unknown): void;
  /** Removes the listeners on the parents; call it when the work has ended (in `finally`). May be called twice. */
  dispose(): void;
}

/**
 * Makes a signal that aborts with the first of its parents, with that parent's reason. Unlike AbortSignal.any it leaves
 * no listener after `dispose`, which matters on a parent that lives for days, such as a manager's stop signal.
 */
export function linkSignals(...parents: readonly (AbortSignal | undefined)[]): LinkedSignal {
  const controller = new AbortController();
  const unsubscribes: (() => void)[] = [];
  for (const parent of parents) {
    if (parent?.aborted === true) controller.abort(parent.reason);
    unsubscribes.push(onAbort(parent, () => controller.abort(parent?.reason)));
  }
  return {
    signal: controller.signal,
    abort: (reason) => controller.abort(reason),
    dispose: () => {
      for (const unsubscribe of unsubscribes) unsubscribe();
    },
  };
}

/** Runs `task` with a {@link linkSignals linked signal} and disposes of the signal when the task has ended. */
export async function withLinkedSignal<T>(
  parents: readonly (AbortSignal | undefined)[],
  task: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const linked = linkSignals(...parents);
  try {
    return await task(linked.signal);
  } finally {
    linked.dispose();
  }
}
