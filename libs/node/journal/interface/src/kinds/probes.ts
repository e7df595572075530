import type { JournalPod } from './journal-pod.js';

/**
 * An attempt of a probe. Reported when it changed the container's result, and when it failed or could not be made; once
 * the result is failure, only when the answer is another one.
 */
export interface ProbeAttempt {
  readonly kind: 'probe.result';
  readonly pod: JournalPod;
  readonly container: string;
  /** Bare CRI id. */
  readonly containerId: string;
  readonly probe: 'liveness' | 'readiness' | 'startup';
  /** `error`: the probe could not be made, and the attempt does not count. */
  readonly outcome: 'success' | 'failure' | 'error';
  /** The answer, or why there was none; at most 1024 characters. */
  readonly output: string;
  /** Attempts in a row with this outcome; 0 for `error`. */
  readonly inARow: number;
  /** So many in a row change the result. */
  readonly threshold: number;
  /** True: the container's result changed with this attempt. */
  readonly changed: boolean;
}

export type ProbeDecision = ProbeAttempt;
