import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { InstallLock } from './install-lock.mjs';

export const repositoryRoot = path.resolve(import.meta.dirname, '../..');
const stampFile = path.join(repositoryRoot, 'node_modules/.podwright-lock');
const lockFile = path.join(repositoryRoot, '.cache/install.lock');

/**
 * Runs `npm ci` unless node_modules was installed from this lock file, or the stamp file says `manual` (for developers
 * who edit dependencies). Two processes never install at the same time. Exits with npm's code on failure.
 */
export async function ensureInstalled() {
  if (isInstalled()) return;
  const lock = new InstallLock(lockFile);
  await lock.take();
  // Another process may have done it meanwhile.
  const code = isInstalled() ? 0 : await install(lock);
  lock.release();
  if (code !== 0) process.exit(code);
}

function isInstalled() {
  const stamp = existsSync(stampFile) ? readFileSync(stampFile, 'utf8').trim() : '';
  return stamp === 'manual' || stamp === hashOfLockFile();
}

const hashOfLockFile = () =>
  createHash('sha256')
    .update(readFileSync(path.join(repositoryRoot, 'package-lock.json')))
    .digest('hex');

/** Resolves with npm's exit code. */
async function install(lock) {
  console.log('installing npm packages (first run, or the lock file changed) ...');
  const hash = hashOfLockFile();
  const npm = spawn('npm', ['ci', '--no-audit', '--no-fund', '--loglevel=error'], {
    cwd: repositoryRoot,
    stdio: ['ignore', 'inherit', 'inherit'],
  });
  if (npm.pid !== undefined) lock.shareWith(npm.pid);
  const [code, problem] = await once(npm, 'close').catch((error) => [1, error.message]);
  if (code === 0) writeFileSync(stampFile, hash);
  else console.error(`npm ci failed${problem ? `: ${problem}` : ''}; fix the cause above and run the command again`);
  return code ?? 1;
}
