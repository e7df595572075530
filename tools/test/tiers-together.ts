import type { TierName } from './options.js';

// Specs with containers wait for 40 % of their time, those in a virtual machine for more. What runs beside them is
// minutes of computing, and gets what is left.
const beside: Readonly<Partial<Record<TierName, TierName>>> = { integration: 'static', 'node-vm': 'packages' };

/** The order of a run: tiers that run at the same time, the main one of them first. */
export function tiersTogether(tiers: readonly TierName[]): readonly (readonly TierName[])[] {
  const main = tiers.filter((tier) => !tiers.some((other) => beside[other] === tier));
  return main.map((tier) => [tier, ...tiers.filter((other) => beside[tier] === other)]);
}
