import { existsSync } from 'node:fs';
import path from 'node:path';
import { tierNames, type TestOptions, type TierName } from '../options.js';
import { specsOfTier } from '../specs-of-tier.js';
import { affectedSpecs } from './affected-specs.js';
import { changedFiles } from './changed-files.js';
import { ImportGraph } from './import-graph.js';

/** What each tier gets to run. */
export interface Selection {
  /** Paths for a tier; undefined: it has nothing to do. */
  readonly pathsOf: (tier: TierName) => readonly string[] | undefined;
  /** Lines that say what was chosen and why. */
  readonly explanation: readonly string[];
}

const mostShown = 8;

/** Chooses for `--affected`. Rejects with what to do when the base is none. */
export async function selectAffected(
  { tiers, affected = {} }: Pick<TestOptions, 'tiers' | 'affected'>,
  root: string,
): Promise<Selection> {
  const { since, files } = await changedFiles(affected.base, root);
  if (files.length === 0)
    return {
      pathsOf: () => undefined,
      explanation: [`affected: nothing differs from ${since}, so nothing has to run`],
    };
  const { specs, reasons } = affectedSpecs(files, ImportGraph.read(root), root);
  const chosen = new Set(specs);
  const ofTier = new Map(tierNames.map((tier) => [tier, specsOfTier(tier, []).filter((file) => chosen.has(file))]));
  const count = (tier: TierName): number => ofTier.get(tier)?.length ?? 0;
  const left = tierNames.filter((tier) => !tiers.includes(tier) && count(tier) > 0);
  const there = files.filter((file) => existsSync(path.join(root, file)));
  return {
    pathsOf: (tier) => {
      const paths = tier === 'static' ? there : (ofTier.get(tier) ?? []);
      return paths.length === 0 ? undefined : paths;
    },
    explanation: [
      `affected: ${files.length} ${files.length === 1 ? 'file differs' : 'files differ'} from ${since}`,
      ...shortened(files),
      `chosen: ${specs.length} specs`,
      ...shortened(reasons),
      ...tiers.map((tier) =>
        tier === 'static'
          ? `  ${tier} checks the ${there.length} files`
          : `  ${tier} runs ${count(tier)} of its ${specsOfTier(tier, []).length} specs`,
      ),
      ...left.map((tier) => `  ${tier} would have ${count(tier)}; --tier ${tier} runs them`),
    ],
  };
}

const shortened = (lines: readonly string[]): readonly string[] => [
  ...lines.slice(0, mostShown).map((line) => `  ${line}`),
  ...(lines.length > mostShown ? [`  and ${lines.length - mostShown} more`] : []),
];
