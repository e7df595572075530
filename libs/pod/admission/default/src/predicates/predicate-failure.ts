import { refusal, type Refusal } from '../refusal.js';

/** A resource that the node lacks. In thousandths of cpu, bytes or counts of everything else. */
export interface InsufficientAmount {
  readonly kind: 'resource';
  readonly resource: string;
  readonly requested: bigint;
  readonly used: bigint;
  readonly capacity: bigint;
}

/** Any other mismatch. */
export interface MismatchFailure {
  readonly kind: 'predicate';
  readonly predicate: 'NodeAffinity' | 'NodeName' | 'NodePorts' | 'TaintToleration';
}

export type PredicateFailure = InsufficientAmount | MismatchFailure;

const descriptions: Readonly<Record<MismatchFailure['predicate'], string>> = {
  NodeAffinity: "node(s) didn't match Pod's node affinity/selector",
  NodeName: "node(s) didn't match the requested node name",
  NodePorts: "node(s) didn't have free ports for the requested pod ports",
  TaintToleration: "node(s) had taints that the pod didn't tolerate",
};

/** Reason and message of a failure. Source: kubernetes v1.36 pkg/kubelet/lifecycle/predicate.go. */
export function failureRefusal(failure: PredicateFailure): Refusal {
  if (failure.kind === 'predicate') {
    const { predicate } = failure;
    return refusal(predicate, `Predicate ${predicate} failed: ${descriptions[predicate]}`);
  }
  const { resource, requested, used, capacity } = failure;
  return refusal(
    `OutOf${resource}`,
    `Node didn't have enough resource: ${resource}, requested: ${requested}, used: ${used}, capacity: ${capacity}`,
  );
}
