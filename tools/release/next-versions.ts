import { existsSync } from 'node:fs';
import path from 'node:path';
import { publishedPackages } from '../build/packages.js';
import type { WorkspacePackage } from '../workspace/packages.js';
import { repositoryRoot } from '../workspace/repository-root.js';
import { runNode } from '../workspace/run-node.js';

export type DryRunOutcome =
  | { readonly outcome: 'passed' }
  | { readonly outcome: 'failed'; readonly output: string }
  | { readonly outcome: 'skipped'; readonly reason: string };

const bumpEveryPackage = path.join(repositoryRoot, 'tools/release/bump-every-package.mjs');
const nx = path.join(repositoryRoot, 'node_modules/nx/dist/bin/nx.js');

/**
 * Simulates releases without writing anything: the next version and change log of one app, as the history requires them,
 * and a bump of every package, because a history without releasable changes would test nothing. Only one app, because nx
 * starts ten processes of git for each package. Needs a git history, but neither tags nor network.
 */
export async function checkVersions(): Promise<DryRunOutcome> {
  if (!existsSync(path.join(repositoryRoot, '.git'))) {
    return { outcome: 'skipped', reason: 'no git history here, and releases are computed from it' };
  }
  const all = publishedPackages();
  const one = all.filter(({ name }) => name === packageWithChangeLog);
  const runs = [
    {
      what: `the next release of ${packageWithChangeLog}`,
      faults: (output: string) => (one.length === 0 ? ['there is no such package'] : versionFaults(output, one, false)),
      go: () => nxRelease(['--dry-run', `--projects=${packageWithChangeLog}`]),
    },
    {
      what: 'a bump of every package',
      faults: (output: string) => versionFaults(output, all, true),
      go: () => runNode([bumpEveryPackage]),
    },
  ];
  for (const { what, faults, go } of runs) {
    const { code, output } = await go();
    const found = code === 0 ? faults(output) : [`it ended with ${code}`];
    if (found.length > 0) return { outcome: 'failed', output: `${what}: ${found.join('\n')}\n${output}` };
  }
  return { outcome: 'passed' };
}

// No other package depends on it: nx adds those to a release.
const packageWithChangeLog = '@podwright/kubelet';

/** What the next release would write: a line for each package with a new version, and the whole text with its change logs. */
export async function previewVersions(): Promise<VersionsText> {
  return versionsText(await nxRelease(['--dry-run']));
}

/** Writes the next versions and change logs. */
export async function writeVersions(): Promise<VersionsText> {
  return versionsText(await nxRelease([]));
}

export interface VersionsText {
  readonly summary: string;
  /** Thousands of lines. */
  readonly whole: string;
}

function versionsText({ code, output }: Awaited<ReturnType<typeof runNode>>): VersionsText {
  if (code !== 0) throw new Error(`nx release ended with ${code}\n${output}`);
  const lines = [...newVersions(output)].map(([name, version]) => `${name} ${version}`);
  return {
    summary: lines.length > 0 ? lines.join('\n') : 'no package has a change that needs a release',
    whole: output,
  };
}

/** The new version of each package that gets one, from the output of `nx release`. */
const newVersions = (output: string): ReadonlyMap<string, string> =>
  new Map(
    [...output.matchAll(/^(\S+) .*New version (\S+) written to manifest/gm)].map(([, name = '', to = '']) => [
      name,
      to,
    ]),
  );

const nxRelease = (args: readonly string[]): ReturnType<typeof runNode> =>
  runNode([nx, 'release', ...args, '--skip-publish', '--verbose=false']);

/** Packages that the output of `nx release` leaves out, or, when every package is `bumped`, gives a wrong version. */
export function versionFaults(
  output: string,
  packages: readonly WorkspacePackage[],
  bumped: boolean,
): readonly string[] {
  const versions = newVersions(output);
  return packages.flatMap(({ name, manifest: { version } }) => {
    if (!output.includes(`release version for project: ${name}\n`)) return [`${name} is left out`];
    const expected = afterMinor(version);
    const found = versions.get(name);
    return bumped && found !== expected ? [`${name} ${version} becomes ${found ?? 'nothing'}, not ${expected}`] : [];
  });
}

/** Before 1.0.0 each kind of change counts one step lower: a feature is a patch. */
function afterMinor(version: string): string {
  const [major = 0, minor = 0, patch = 0] = version.split('.').map(Number);
  return major === 0 ? `0.${minor}.${patch + 1}` : `${major}.${minor + 1}.0`;
}
