import type { TierName } from './options.js';

// Specs with containers wait for 40 % of their time, those in a virtual machine for more. What runs beside them is
// minutes of computing, and gets what is left.
const beside: Readonly<Partial<Record<TierName, readonly TierName[]>>> = {
  integration: ['static', 'packages'],
  'node-vm': ['simulation'],
};

export interface TiersTogether {
  readonly main: TierName;
  /** One after the other, while `main` runs. */
  readonly beside: readonly TierName[];
}

/** The order of a run, by the tiers that run at the same time. */
export function tiersTogether(tiers: readonly TierName[]): readonly TiersTogether[] {
  const besideOf = (tier: TierName): readonly TierName[] =>
    (beside[tier] ?? []).filter((other) => tiers.includes(other));
  const taken = tiers.flatMap(besideOf);
  return tiers.filter((tier) => !taken.includes(tier)).map((main) => ({ main, beside: besideOf(main) }));
}
