import { parseArgs } from 'node:util';

export interface MutationOptions {
  /** Names of the packages to run. */
  readonly packages: readonly string[];
  /** The lowest score that passes, in per cent. */
  readonly below: number;
  /** True: forget the results of earlier runs. */
  readonly force: boolean;
}

/** Parses and checks the options. Throws with a sentence for the user when one is wrong. */
export function parseOptions(args: readonly string[], names: readonly string[]): MutationOptions {
  const { values } = parseArgs({
    args: [...args],
    options: {
      package: { type: 'string', multiple: true, default: [] },
      below: { type: 'string', default: '85' },
      force: { type: 'boolean', default: false },
    },
  });
  const { package: packages, force } = values;
  const below = values.below.trim() === '' ? Number.NaN : Number(values.below);
  if (!(below >= 0 && below <= 100)) {
    throw new Error(`--below: ${JSON.stringify(values.below)} is no percentage; give a number from 0 to 100`);
  }
  const unknown = packages.filter((name) => !names.includes(name));
  if (unknown.length > 0) {
    throw new Error(`--package: there is no ${unknown.join(', ')}; the packages are ${names.join(', ')}`);
  }
  return { packages: packages.length === 0 ? names : packages, below, force };
}
