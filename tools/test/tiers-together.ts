import type { TierName } from './options.js';

// Specs with containers wait for 40 % of their time, those in a virtual machine for more. What runs beside them is
// minutes of computing, and gets what is left.
const waiting: readonly TierName[] = ['integration', 'node-vm'];
const computing: readonly TierName[] = ['static', 'packages', 'simulation'];

export interface TiersTogether {
  /** One after the other. */
  readonly main: readonly TierName[];
  /** One after the other, at the same time. */
  readonly beside: readonly TierName[];
}

/** The order of a run, by the tiers that run at the same time. */
export function tiersTogether(tiers: readonly TierName[]): readonly TiersTogether[] {
  const main = waiting.filter((tier) => tiers.includes(tier));
  const beside = main.length === 0 ? [] : computing.filter((tier) => tiers.includes(tier));
  const others = tiers.filter((tier) => !main.includes(tier) && !beside.includes(tier));
  return [
    { main: others, beside: [] },
    { main, beside },
  ].filter((group) => group.main.length > 0);
}
