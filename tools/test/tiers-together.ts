import type { TierName } from './options.js';

// Specs with containers wait for 40 % of their time, those in a virtual machine for more. What runs beside them is
// minutes of computing, and gets what is left.
const beside: Readonly<Partial<Record<TierName, TierName>>> = { integration: 'static', 'node-vm': 'packages' };

/** The order of a run: tiers that run at the same time, the main one of them first. */
export function tiersTogether(tiers: readonly TierName[]): readonly (readonly TierName[])[] {
  const groups = tiers.map((tier) => [tier, beside[tier]].filter((each) => each !== undefined && tiers.includes(each)));
  return (groups as readonly TierName[][]).filter(
    ([main]) => !groups.some(([other, companion]) => companion === main && other !== main),
  );
}
