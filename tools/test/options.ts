import { readFileSync } from 'node:fs';
import path from 'node:path';
import { repositoryRoot } from '../workspace/repository-root.js';

export const tierNames = ['static', 'unit', 'simulation', 'integration', 'node-vm', 'packages'] as const;
export type TierName = (typeof tierNames)[number];

export interface TestOptions {
  readonly tiers: readonly TierName[];
  /** Files or folders, relative to the repository; empty means everything. */
  readonly paths: readonly string[];
  /** Only the specs that changes since a commit may affect. */
  readonly affected?: {
    /** Branch, tag or hash; undefined: the main branch. */
    readonly base?: string;
  };
}

const values = { '--tier': tierNames.join('|'), '--base': 'COMMIT' } as const;
const affectedTiers: readonly TierName[] = ['static', 'unit'];

export const usage = readFileSync(path.join(repositoryRoot, 'tools/test/usage.txt'), 'utf8').trimEnd();

/** Reads the command line; throws with the usage on anything it does not know. */
export function parseTestOptions(args: readonly string[]): TestOptions {
  const tiers: TierName[] = [];
  const paths: string[] = [];
  let isAffected = false;
  let base: string | undefined;
  const rest = [...args];
  const valueOf = (option: keyof typeof values, arg: string): string => {
    const value = arg === option ? rest.shift() : arg.slice(option.length + 1);
    if (value === undefined || value === '') throw new Error(`${option} needs a value: ${values[option]}\n${usage}`);
    return value;
  };
  for (let arg = rest.shift(); arg !== undefined; arg = rest.shift()) {
    if (arg === '--tier' || arg.startsWith('--tier=')) {
      const value = valueOf('--tier', arg);
      const tier = tierNames.find((name) => name === value);
      if (tier === undefined) throw new Error(`unknown tier "${value}"\n${usage}`);
      tiers.push(tier);
    } else if (arg === '--base' || arg.startsWith('--base=')) base = valueOf('--base', arg);
    else if (arg === '--affected') isAffected = true;
    else if (arg.startsWith('-')) throw new Error(`unknown option "${arg}"\n${usage}`);
    else paths.push(arg.replace(/^\.\//, '').replace(/\/$/, ''));
  }
  if (base !== undefined && !isAffected)
    throw new Error(`--base "${base}" says what --affected compares with; add --affected\n${usage}`);
  if (isAffected && paths.length > 0)
    throw new Error(`--affected chooses the specs, and PATH "${paths[0]}" names them: give one of the two\n${usage}`);
  if (isAffected && tiers.includes('packages'))
    throw new Error(`--affected cannot choose in the tier packages, which packs everything\n${usage}`);
  const usual = isAffected
    ? affectedTiers
    : paths.length === 0
      ? tierNames
      : tierNames.filter((tier) => tier !== 'packages');
  return {
    tiers: tiers.length > 0 ? tierNames.filter((tier) => tiers.includes(tier)) : usual,
    paths,
    ...(isAffected && { affected: base === undefined ? {} : { base } }),
  };
}
