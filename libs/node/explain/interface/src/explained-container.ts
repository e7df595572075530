import type { Facts } from './explained-step.js';

/** The kernel killed a process of the container because memory ran out, as it reports. */
export interface ExplainedOom {
  readonly atMs: number;
  readonly process: string;
  readonly pid: number;
  /** Whose limit was reached. `node`: the whole machine ran out of memory. */
  readonly limitOf: 'container' | 'pod' | 'node' | 'other';
  readonly usageBytes?: number;
  readonly limitBytes?: number;
}

export interface ExplainedExit {
  readonly exitCode: number;
  /** `SIGKILL` for 137, `SIGTERM` for 143, and so on; absent for codes up to 128. */
  readonly signal?: string;
  /** The runtime's word: `Completed`, `Error`, `OOMKilled`, ... */
  readonly reason: string;
  readonly message?: string;
  readonly startedAtMs?: number;
  readonly finishedAtMs?: number;
  readonly oom?: ExplainedOom;
  /** Why the kubelet stopped it: the message of its event Killing; absent when it ended by itself. */
  readonly killedFor?: string;
  /** What the probe last answered for which the kubelet stopped it; absent when it was not for a probe, or not recorded. */
  readonly probeOutput?: string;
}

export interface ExplainedProbe {
  readonly probe: 'liveness' | 'readiness' | 'startup';
  /** Of the last attempt that was reported. */
  readonly outcome: 'success' | 'failure' | 'error';
  readonly atMs: number;
  /** The last answer, or why there was none. */
  readonly output: string;
  readonly inARow: number;
  readonly threshold: number;
  /** How often the result changed within the last ten minutes, since the container started. */
  readonly changes: number;
}

export interface ExplainedContainer {
  readonly name: string;
  readonly type: 'init' | 'sidecar' | 'regular' | 'ephemeral';
  readonly state: 'waiting' | 'running' | 'terminated';
  /** Of the waiting or terminated state. */
  readonly reason?: string;
  readonly message?: string;
  readonly sinceMs?: number;
  readonly ready: boolean;
  readonly restarts: number;
  /** The exits that are known, newest first, at most five. */
  readonly exits: readonly ExplainedExit[];
  /** Wall clock, Unix milliseconds: it does not start before; absent when no back-off is left. */
  readonly backOffUntilMs?: number;
  /** Those with an attempt in the journal. */
  readonly probes: readonly ExplainedProbe[];
  readonly facts: Facts;
}
