/**
 * Start and stop of a manager. Constructors only store their arguments. `start()` resolves when the manager is usable
 * and rejects when it cannot be. `stop()` resolves when no timer, stream, child process or listener is left; it may be
 * called twice, before `start()`, or concurrently. A stopped instance is not started again.
 */
export interface Lifecycle {
  start(): Promise<void>;
  stop(): Promise<void>;
}

/**
 * The health of a manager. For operators, `reason` says what is wrong and since when; `detail` informs about a healthy
 * one.
 */
export type Health = { readonly ok: true; readonly detail?: string } | { readonly ok: false; readonly reason: string };

/** Reports its health. `healthy()` never throws and is cheap. */
export interface HealthReporter {
  healthy(): Health;
}
