import type { Tarball } from '../build/packages.js';
import type { WorkspacePackage } from '../workspace/packages.js';
import { run } from '../workspace/run-node.js';
import { dependenciesOf, type LockedPackages } from './lock-tree.js';
import { git } from './make-release.js';
import { npmCanSign } from './provenance.js';
import type { CheckoutState } from './publish-refusals.js';

/** The tarballs in the order of publishing: a package comes after those it needs, so that every user can install it. */
export function inOrderOfNeed(
  packages: readonly WorkspacePackage[],
  tarballs: readonly Tarball[],
  lock: LockedPackages,
): readonly Tarball[] {
  const byFolder = new Map(
    packages.map(({ folder, name }) => [folder, tarballs.find((tarball) => tarball.name === name)]),
  );
  const ordered = new Set<Tarball>();
  const visiting = new Set<string>();
  const visit = (folder: string): void => {
    if (visiting.has(folder)) return;
    visiting.add(folder);
    dependenciesOf(lock, folder)
      .filter((location) => byFolder.has(location))
      .forEach(visit);
    const tarball = byFolder.get(folder);
    if (tarball !== undefined) ordered.add(tarball);
  };
  [...byFolder.keys()].forEach(visit);
  return [...ordered];
}

/** Publishes what the registry does not have yet, and tags it, so that the next release starts from here. */
export async function publish(
  tarballs: readonly Tarball[],
  versions: ReadonlyMap<string, string>,
  say: (line: string) => void,
): Promise<void> {
  const provenance = npmCanSign(process.env) ? ['--provenance'] : [];
  for (const { name, file } of tarballs) {
    const id = `${name}@${versions.get(name) ?? ''}`;
    if (await isPublished(id)) {
      say(`${id} is published already`);
      continue;
    }
    const { code, output } = await run('npm', ['publish', file, '--access=public', '--ignore-scripts', ...provenance]);
    if (code !== 0)
      throw new Error(`npm publish of ${id} ended with ${code}; run the command again to resume\n${output}`);
    await git('tag', id);
    say(`published ${id}`);
  }
}

/** An unknown package and an unknown version are both 404s; every other failure must not look like them. */
async function isPublished(id: string): Promise<boolean> {
  const { code, output } = await run('npm', ['view', id, 'version', '--json']);
  if (code === 0) return output.trim() !== '';
  if (output.includes('E404')) return false;
  throw new Error(`npm view ${id} ended with ${code}\n${output}`);
}

export async function checkoutState(): Promise<CheckoutState> {
  const commit = await git('rev-parse', 'HEAD');
  const status = await git('status', '--porcelain');
  const format = '%(objecttype) %(refname:short) %(taggeremail:trim)';
  const tags = await git('for-each-ref', 'refs/tags', '--points-at', 'HEAD', `--format=${format}`);
  return {
    changes: status === '' ? [] : status.split('\n'),
    commit,
    authorEmail: await git('log', '-1', '--format=%ae'),
    tags: tags.split('\n').flatMap((line) => {
      const [type, name = '', taggerEmail = ''] = line.split(' ');
      return type === 'tag' ? [{ name, taggerEmail }] : [];
    }),
  };
}
