import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { createHash } from 'node:crypto';
import path from 'node:path';

export const repositoryRoot = path.resolve(import.meta.dirname, '../..');
const stampFile = path.join(repositoryRoot, 'node_modules/.podwright-lock');

/**
 * Runs `npm ci` unless node_modules was installed from this lock file, or the stamp file says `manual` (for developers
 * who edit dependencies). Exits with npm's code on failure.
 */
export function ensureInstalled() {
  const lock = createHash('sha256')
    .update(readFileSync(path.join(repositoryRoot, 'package-lock.json')))
    .digest('hex');
  const stamp = existsSync(stampFile) ? readFileSync(stampFile, 'utf8').trim() : '';
  if (stamp === lock || stamp === 'manual') return;
  console.log('installing npm packages (first run, or the lock file changed) ...');
  const { status, error } = spawnSync('npm', ['ci', '--no-audit', '--no-fund', '--loglevel=error'], {
    cwd: repositoryRoot,
    stdio: ['ignore', 'inherit', 'inherit'],
  });
  if (status !== 0) {
    console.error(`npm ci failed${error ? `: ${error.message}` : ''}; fix the cause above and run the command again`);
    process.exit(status ?? 1);
  }
  writeFileSync(stampFile, lock);
}
