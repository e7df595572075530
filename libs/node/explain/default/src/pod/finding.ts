import type {
  ExplainedStep,
  Facts,
  PodExplanation,
  PodSituation,
  StepName,
  StepState,
} from '@podwright/explain-interface';

/** What is the matter with one step or container. */
export interface Finding extends Pick<PodExplanation, 'waitsFor' | 'lastFailure' | 'retryAtMs'> {
  readonly situation: PodSituation;
  /** Names for the headline and the advice. */
  readonly about?: Readonly<Record<string, string>>;
}

export interface StepResult {
  readonly step: ExplainedStep;
  /** Absent when nothing about the step is worth a headline. */
  readonly finding?: Finding;
}

interface StepDetails {
  readonly sinceMs?: number | undefined;
  readonly tookMs?: number | undefined;
  readonly facts?: { readonly [name: string]: Facts[string] | undefined };
}

export function stepResult(
  step: StepName,
  state: StepState,
  { sinceMs, tookMs, facts = {} }: StepDetails = {},
  finding?: Finding,
): StepResult {
  return {
    step: {
      ...{ step, state },
      ...(sinceMs !== undefined && { sinceMs }),
      ...(tookMs !== undefined && { tookMs: Math.max(0, tookMs) }),
      facts: withoutAbsent(facts),
    },
    ...(finding && { finding }),
  };
}

function withoutAbsent(facts: { readonly [name: string]: Facts[string] | undefined }): Facts {
  const kept = Object.entries(facts).filter((fact): fact is [string, Facts[string]] => fact[1] !== undefined);
  return Object.fromEntries(kept);
}

/** When a back-off is over; from then on the worker's next turn tries. */
export function retryAfter(
  backOffUntilMs: number | undefined,
  sync: { readonly nextLookAtMs?: number } | undefined,
  nowMs: number,
): Pick<Finding, 'retryAtMs'> {
  if (backOffUntilMs === undefined) return retryOf(sync);
  return { retryAtMs: backOffUntilMs > nowMs ? backOffUntilMs : (sync?.nextLookAtMs ?? backOffUntilMs) };
}

/** When a worker whose last turn failed looks again. */
export function retryOf(sync: { readonly nextLookAtMs?: number } | undefined): Pick<Finding, 'retryAtMs'> {
  return sync?.nextLookAtMs === undefined ? {} : { retryAtMs: sync.nextLookAtMs };
}
