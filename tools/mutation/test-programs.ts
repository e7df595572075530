import { createHash } from 'node:crypto';
import { copyFile, mkdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { repositoryRoot } from '../workspace/repository-root.js';
import { succeed } from '../workspace/run-node.js';

const source = path.join(repositoryRoot, 'tools/mutation');

/** Where the results of earlier runs, the copies with mutants and the programs are. */
export const cacheFolder = path.join(repositoryRoot, 'node_modules/.cache/podwright/mutation');

/**
 * Installs Stryker and mocha from the lock file of this folder, unless that has been done, and returns the folder. They
 * are no devDependencies, because they would make each installation of the repository longer by 90 MB.
 */
export async function installTestPrograms(say: (line: string) => void): Promise<string> {
  const folder = path.join(cacheFolder, 'programs');
  const stamp = path.join(folder, 'installed');
  const lock = await readFile(path.join(source, 'package-lock.json'));
  const hash = createHash('sha256').update(lock).digest('hex');
  if ((await readFile(stamp, 'utf8').catch(() => '')) === hash) return folder;
  say('installing the programs for mutants (first run, or their lock file changed) ...');
  await mkdir(folder, { recursive: true });
  for (const file of ['package.json', 'package-lock.json']) {
    await copyFile(path.join(source, file), path.join(folder, file));
  }
  await succeed('npm', ['ci', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'], folder);
  await writeFile(stamp, hash);
  return folder;
}
