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

/** All faults of one node, in order. One that would begin while another lasts is left out. */
export function plannedFaults(
  rules: readonly NodeFaultRule[],
  node: string,
  choices: Choices,
): readonly PlannedFault[] {
  const faults = rules.flatMap((rule, index) => {
    const isOne = rule.nodes.some((pattern) => matchesPattern(pattern, node));
    return isOne && choices('nodeFault', index, node).next() < rule.share ? faultsOf(rule, index, node, choices) : [];
  });
  const ordered = faults.sort((left, right) => left.atMs - right.atMs);
  const kept: PlannedFault[] = [];
  for (const fault of ordered) if (fault.atMs >= endOf(kept.at(-1))) kept.push(fault);
  return kept;
}

const endOf = (fault: PlannedFault | undefined): number => (fault === undefined ? 0 : (fault.untilMs ?? Infinity));

function faultsOf(rule: NodeFaultRule, index: number, node: string, choices: Choices): readonly PlannedFault[] {
  const faults: PlannedFault[] = [];
  let nowMs = 0;
  for (let time = 0; time < rule.times; time++) {
    const atMs = nowMs + draw(rule.after, choices('faultAfter', index, node, time));
    const untilMs =
      rule.lasts === undefined ? undefined : atMs + draw(rule.lasts, choices('faultLasts', index, node, time));
    faults.push({ fault: rule.fault, atMs, untilMs });
    if (untilMs === undefined) break;
    nowMs = untilMs;
  }
  return faults;
}
