/**
 * Start and stop of a manager. Constructors only store; `start()` resolves when the manager is usable and rejects when
 * it cannot be; `stop()` resolves when no timer, stream, child or listener is left. `stop()` may come twice, early or
 * concurrently. A stopped instance is not started again.
 */
export interface Lifecycle {
  start(): Promise<void>;
  stop(): Promise<void>;
}

/** `reason` is for operators: what is wrong and since when; `detail` what they may want to know of what is well enough. */
export type Health = { readonly ok: true; readonly detail?: string } | { readonly ok: false; readonly reason: string };

/** Anything that can say how it is. `healthy()` never throws and is cheap. */
export interface HealthReporter {
  healthy(): Health;
}
