import type { ExplainedContainer } from './explained-container.js';
import type { ExplainedStep, StepName } from './explained-step.js';
import type { PodSituation } from './pod-situation.js';

/** In upstream's words, with those of the runtime, the registry or the driver. */
export interface ExplainedFailure {
  readonly step: StepName;
  readonly atMs: number;
  readonly error: string;
  /** Failures in a row; absent when nobody counts them. */
  readonly times?: number;
  /** The first of them. */
  readonly sinceMs?: number;
}

/** Who made the start slow: the longest of the steps that were measured. */
export interface SlowestStep {
  readonly step: StepName;
  readonly tookMs: number;
  /** From the begin of the pod until its last container ran. */
  readonly ofMs: number;
  /** Container, image or volume; absent when the step has none. */
  readonly of?: string;
  /** The last error of a step that took so long because it failed again and again before it succeeded. */
  readonly error?: string;
}

/**
 * Where one pod stands and why, at one moment. Plain JSON. Times are Unix milliseconds of the wall clock. A reader must
 * pass over situations and facts that it does not know.
 */
export interface PodExplanation {
  readonly apiVersion: 'explain.podwright.dev/v1alpha1';
  readonly kind: 'PodExplanation';
  readonly atMs: number;
  readonly pod: { readonly namespace: string; readonly name: string; readonly uid?: string };
  /** `here`: the kubelet has it. `gone`: only the journal has it. */
  readonly known: 'here' | 'gone' | 'unknown';
  /** `api`, `file`, `http`, `local`; absent when it is not known. */
  readonly source?: string;
  readonly phase?: string;
  readonly ready: boolean;
  readonly situation: PodSituation;
  /** One sentence: what is the matter. */
  readonly headline: string;
  /** One sentence: what a person can do. Empty when there is nothing to do. */
  readonly advice: string;
  readonly waitsFor?: { readonly what: string; readonly sinceMs?: number };
  readonly lastFailure?: ExplainedFailure;
  /** When the kubelet tries again, if it does and knows when. Not after `atMs`: it is due now. */
  readonly retryAtMs?: number;
  readonly slowest?: SlowestStep;
  /** All of {@link stepNames}, in their order; empty for a pod that nobody knows. */
  readonly steps: readonly ExplainedStep[];
  /** In the order of the pod's spec: init containers, containers, ephemeral ones. */
  readonly containers: readonly ExplainedContainer[];
  /** Sentences about what else is worth to know, the most important first. */
  readonly notes: readonly string[];
  /** For a pod that nobody knows: `namespace/name` of those with the most similar names. */
  readonly near?: readonly string[];
}
