import { existsSync } from 'node:fs';
import path from 'node:path';
import { listPackages } from '../workspace/packages.js';
import { repositoryRoot } from '../workspace/repository-root.js';
import { runNode } from '../workspace/run-node.js';

export type DryRunOutcome =
  | { readonly outcome: 'passed' }
  | { readonly outcome: 'failed'; readonly output: string }
  | { readonly outcome: 'skipped'; readonly reason: string };

const nx = path.join(repositoryRoot, 'node_modules/nx/dist/bin/nx.js');

/**
 * Simulates a release without writing anything: once as the history requires, and once with a bump of every package,
 * because a history without releasable changes would test nothing. Needs a git history, but neither tags nor network.
 */
export async function releaseDryRun(): Promise<DryRunOutcome> {
  if (!existsSync(path.join(repositoryRoot, '.git'))) {
    return { outcome: 'skipped', reason: 'no git history here, and releases are computed from it' };
  }
  const published = listPackages().filter(({ manifest }) => manifest.private !== true);
  for (const bump of [[], ['minor']]) {
    const args = ['release', ...bump, '--dry-run', '--skip-publish', '--verbose=false'];
    const { code, output } = await runNode([nx, ...args]);
    if (code !== 0) return { outcome: 'failed', output: `nx ${args.join(' ')} ended with ${code}\n${output}` };
    const forgotten = published.filter(({ name }) => !output.includes(`release version for project: ${name}\n`));
    if (forgotten.length > 0) {
      const names = forgotten.map(({ name }) => name).join(', ');
      return { outcome: 'failed', output: `nx ${args.join(' ')} left out ${names}\n${output}` };
    }
  }
  return { outcome: 'passed' };
}
