import { run } from '../../workspace/run-node.js';

export interface Changes {
  /** What they are changes against, in words. */
  readonly since: string;
  /** Files that are different, new or gone, relative to the repository, sorted. */
  readonly files: readonly string[];
}

const defaultBranches = ['main', 'origin/main'];

/**
 * What differs from a commit, committed or not. The commit is the one at which HEAD left `base`; without a base, left
 * `main`. On `main` itself these are the changes that are not committed. Rejects with what to do when there is no such
 * commit.
 */
export async function changedFiles(base: string | undefined, root: string): Promise<Changes> {
  const git = async (...args: readonly string[]): Promise<string | undefined> => {
    const { code, output } = await run('git', args, { cwd: root });
    return code === 0 ? output : undefined;
  };
  const commitOf = (name: string): Promise<string | undefined> =>
    git('rev-parse', '--verify', '--quiet', '--end-of-options', `${name}^{commit}`);
  if ((await git('rev-parse', '--git-dir')) === undefined)
    throw new Error(
      '--affected compares with a commit, and this folder is no git clone: name the paths to test instead',
    );

  const names = base === undefined ? defaultBranches : [base];
  let found: string | undefined;
  for (const name of names) if ((found = (await commitOf(name)) && name) !== undefined) break;
  if (found === undefined) {
    throw new Error(
      base === undefined
        ? `--affected: this clone has neither ${defaultBranches.join(' nor ')}: name what to compare with, for example --base HEAD~1`
        : `--base "${base}" is no commit of this clone: name a branch, a tag or a hash, for example --base HEAD~1`,
    );
  }
  const left = (await git('merge-base', 'HEAD', found))?.trim();
  if (left === undefined || left === '')
    throw new Error(
      `--base "${found}" and HEAD have no commit in common; a shallow clone may lack it: git fetch --unshallow`,
    );

  const lists = [
    await git('diff', '--name-only', '--no-renames', '-z', left),
    await git('ls-files', '--others', '--exclude-standard', '-z'),
  ];
  const files = lists.flatMap((list) => (list ?? '').split('\0')).filter((file) => file !== '');
  return { since: `${left.slice(0, 10)}, where HEAD left ${found}`, files: [...new Set(files)].sort() };
}
