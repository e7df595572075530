/** The steps of a pod's way, in their order. `network` is a part of the call that makes the sandbox. */
export const stepNames = [
  'source',
  'admission',
  'queue',
  'volumes',
  'sandbox',
  'network',
  'image',
  'start',
  'probes',
  'status',
  'ending',
] as const;

export type StepName = (typeof stepNames)[number];

/**
 * - `done`: it is over, and the pod needs nothing more of it;
 * - `now`: the kubelet or the runtime works on it;
 * - `waiting`: it waits for something that is not an error;
 * - `failed`: the last attempt failed, whether or not there will be another one;
 * - `skipped`: this pod does not need it;
 * - `later`: the pod has not come that far.
 */
export const stepStates = ['done', 'now', 'waiting', 'failed', 'skipped', 'later'] as const;

export type StepState = (typeof stepStates)[number];

export type Fact = string | number | boolean | readonly string[];

/** What an explanation says beside its fixed fields. Names end with their unit: `waitedMs`, `sizeBytes`. */
export type Facts = Readonly<Record<string, Fact>>;

/** Where a pod stands with one step. Times are Unix milliseconds of the wall clock. */
export interface ExplainedStep {
  readonly step: StepName;
  readonly state: StepState;
  /** When the step got to this state: for `done` its end, else the begin of the wait, work or failures. */
  readonly sinceMs?: number;
  /** How long the step took, or its last attempt; absent when nobody measured it. */
  readonly tookMs?: number;
  readonly facts: Facts;
}
