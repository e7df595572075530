import { spawnSync } from 'node:child_process';
import path from 'node:path';
import { repositoryRoot } from '../bootstrap/install.mjs';

const tsc = path.join(repositoryRoot, 'node_modules/typescript-native/bin/tsc');

/** Runs the native TypeScript compiler in the repository's root and returns its exit code. @param {string[]} args */
export function runCompiler(args) {
  const { status, error } = spawnSync(process.execPath, [tsc, ...args], { cwd: repositoryRoot, stdio: 'inherit' });
  if (error) throw error;
  return status ?? 1;
}
