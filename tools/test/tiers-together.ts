import type { TierName } from './options.js';

// Specs with containers wait for 40 % of their time, those in a virtual machine for more. What runs beside them is
// minutes of computing, and gets what is left.
const waiting: readonly TierName[] = ['integration', 'node-vm'];
const computing: readonly TierName[] = ['unit', 'static', 'packages', 'simulation'];

export interface TiersTogether {
  /** One after the other. */
  readonly main: readonly TierName[];
  /** One after the other, at the same time. */
  readonly beside: readonly TierName[];
}

/** Which tiers run at the same time. */
export function tiersTogether(tiers: readonly TierName[]): TiersTogether {
  const main = waiting.filter((tier) => tiers.includes(tier));
  return main.length === 0
    ? { main: tiers, beside: [] }
    : { main, beside: computing.filter((tier) => tiers.includes(tier)) };
}
