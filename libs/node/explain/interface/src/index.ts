export { EXPLAINER } from './explainer.js';
export type { Explainer } from './explainer.js';
export type { ExplainedFailure, PodExplanation, SlowestStep } from './pod-explanation.js';
export { podSituations } from './pod-situation.js';
export type { PodSituation } from './pod-situation.js';
export { stepNames, stepStates } from './explained-step.js';
export type { ExplainedStep, Fact, Facts, StepName, StepState } from './explained-step.js';
export type { ExplainedContainer, ExplainedExit, ExplainedOom, ExplainedProbe } from './explained-container.js';
export { nodeSituations } from './node-explanation.js';
export type {
  ExplainedCandidate,
  ExplainedCondition,
  ExplainedContact,
  ExplainedEviction,
  ExplainedImageGc,
  ExplainedImageRemoval,
  ExplainedOutage,
  ExplainedPressure,
  NodeExplanation,
  NodeSituation,
} from './node-explanation.js';
export { nodeExplanationSchema, podExplanationSchema } from './schema/explanation-schemas.js';
