import type { Choices } from '../behaviour/choices.js';
import type { NodeFaultKind, NodeFaultRule } from '../behaviour/hollow-behaviour.js';
import { matchesPattern } from '../behaviour/pattern.js';
import { draw } from '../behaviour/spread.js';

/** One fault of a node: when it begins and ends, in milliseconds since the node's start. */
export interface PlannedFault {
  readonly fault: NodeFaultKind;
  readonly atMs: number;
  /** Undefined: the node does not come back. */
  readonly untilMs: number | undefined;
}

/**
 * The faults of one node, in order, each drawn when it is asked for: a rule may have any number of them. One that would
 * begin while another lasts is left out.
 */
export function* plannedFaults(
  rules: readonly NodeFaultRule[],
  node: string,
  choices: Choices,
): Generator<PlannedFault, void> {
  const plans = rules.flatMap((rule, index) => {
    const isOne = rule.nodes.some((pattern) => matchesPattern(pattern, node));
    return isOne && choices('nodeFault', index, node).next() < rule.share ? [faultsOf(rule, index, node, choices)] : [];
  });
  const nextOf = plans.map((plan) => plan.next().value);
  for (let freeMs: number | undefined = 0; freeMs !== undefined;) {
    const at = earliest(nextOf);
    const fault = nextOf[at];
    if (fault === undefined) return;
    nextOf[at] = plans[at]?.next().value;
    if (fault.atMs < freeMs) continue;
    yield fault;
    freeMs = fault.untilMs;
  }
}

/** The place of the fault that begins first; of two at the same time the first. */
function earliest(faults: readonly (PlannedFault | undefined)[]): number {
  let found = 0;
  faults.forEach((fault, index) => {
    if ((fault?.atMs ?? Infinity) < (faults[found]?.atMs ?? Infinity)) found = index;
  });
  return found;
}

function* faultsOf(
  rule: NodeFaultRule,
  index: number,
  node: string,
  choices: Choices,
): Generator<PlannedFault, undefined> {
  let nowMs = 0;
  for (let time = 0; time < rule.times; time++) {
    const atMs = nowMs + draw(rule.after, choices('faultAfter', index, node, time));
    const untilMs =
      rule.lasts === undefined ? undefined : atMs + draw(rule.lasts, choices('faultLasts', index, node, time));
    yield { fault: rule.fault, atMs, untilMs };
    if (untilMs === undefined) return undefined;
    nowMs = untilMs;
  }
  return undefined;
}
