/** Handle of one pending call. `cancel()` may be called twice, and after the call has run. */
export interface Timer {
  cancel(): void;
}

/** An abort signal with a time limit. Call `dispose()` when the work has ended (in `finally`): it frees the timer. */
export interface Deadline {
  readonly signal: AbortSignal;
  dispose(): void;
}

/**
 * The only source of time. All code that waits or reads the time takes a Clock, so that the whole kubelet can run in
 * virtual time. All values are milliseconds unless the name says otherwise.
 */
export interface Clock {
  /** Wall-clock time in milliseconds since 1970. It may jump. For timestamps that people or other machines see. */
  now(): number;
  /** Milliseconds, with fractions, since an arbitrary start; the value never decreases. For durations. */
  monotonic(): number;
  /** Calls `callback` once after `delayMs` (0 = the next turn of the event loop). Does not keep the process alive. */
  setTimer(delayMs: number, callback: () => void): Timer;
  /** Resolves after `delayMs`; rejects with the signal's reason as soon as it is aborted. */
  sleep(delayMs: number, signal?: AbortSignal): Promise<void>;
  /**
   * Runs `task` at once and then again `periodMs` after it ended, until the signal aborts. Resolves when the last
   * run has ended. A throwing task is the caller's bug: the promise rejects and the loop ends.
   */
  every(periodMs: number, task: () => Promise<void> | void, signal: AbortSignal): Promise<void>;
  /** Signal that aborts after `timeoutMs` with a `deadline-exceeded` KubeletError, or with the reason of `parent`. */
  deadline(timeoutMs: number, parent?: AbortSignal): Deadline;
}
