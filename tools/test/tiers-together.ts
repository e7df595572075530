import type { TierName } from './options.js';

/**
 * The order of a run: tiers that run at the same time, the main one of them first. Specs with containers wait for 40 % of
 * their time, and the static checks are four minutes of computing, so they run beside them and get what is left.
 */
export function tiersTogether(tiers: readonly TierName[]): readonly (readonly TierName[])[] {
  if (!tiers.includes('static') || !tiers.includes('integration')) return tiers.map((tier) => [tier]);
  const others = tiers.filter((tier) => tier !== 'static');
  return others.map((tier) => (tier === 'integration' ? [tier, 'static'] : [tier]));
}
