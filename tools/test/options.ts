export const tierNames = ['static', 'unit', 'simulation', 'integration', 'node-vm', 'packages'] as const;
export type TierName = (typeof tierNames)[number];

export interface TestOptions {
  readonly tiers: readonly TierName[];
  /** Files or folders, relative to the repository; empty means everything. */
  readonly paths: readonly string[];
}

export const usage = `usage: npm test -- [--tier ${tierNames.join('|')}]... [PATH...]
With a PATH and no --tier, the packages tier does not run.`;

/** Reads the command line; throws with the usage on anything it does not know. */
export function parseTestOptions(args: readonly string[]): TestOptions {
  const tiers: TierName[] = [];
  const paths: string[] = [];
  const rest = [...args];
  for (let arg = rest.shift(); arg !== undefined; arg = rest.shift()) {
    if (arg === '--tier' || arg.startsWith('--tier=')) {
      const value = arg === '--tier' ? rest.shift() : arg.slice('--tier='.length);
      const tier = tierNames.find((name) => name === value);
      if (tier === undefined) throw new Error(`unknown tier "${value ?? ''}"\n${usage}`);
      tiers.push(tier);
    } else if (arg.startsWith('-')) {
      throw new Error(`unknown option "${arg}"\n${usage}`);
    } else paths.push(arg.replace(/^\.\//, '').replace(/\/$/, ''));
  }
  const all = paths.length === 0 ? tierNames : tierNames.filter((tier) => tier !== 'packages');
  return { tiers: tiers.length > 0 ? tierNames.filter((tier) => tiers.includes(tier)) : all, paths };
}
