import { chmodSync, mkdirSync, renameSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { repositoryRoot } from '../workspace/repository-root.js';
import { bundleApp } from './bundle-app.js';

/** An executable file in `dist`. */
export interface Executable {
  readonly file: string;
  readonly bytes: number;
}

/** Path of the executable of an app. */
export function executableFile(app: string): string {
  return path.join(repositoryRoot, 'dist', app);
}

/**
 * Bundles `apps/<app>` and its dependencies into one executable file for any Node.js. CommonJS, because Node treats a
 * file without a suffix as CommonJS wherever an operator copies it.
 */
export async function buildExecutable(app: string): Promise<Executable> {
  const file = executableFile(app);
  const folder = path.dirname(file);
  mkdirSync(folder, { recursive: true });
  // Shields the bundle from the repository's package.json, which says "module".
  const shield = path.join(folder, 'package.json');
  // Renamed into place, both: programs may be running from the old files or starting right now.
  const part = `.${process.pid}`;
  writeFileSync(shield + part, '{ "type": "commonjs" }\n');
  renameSync(shield + part, shield);
  await bundleApp(app, file + part, { target: 'node20', banner: { js: '#!/usr/bin/env node' } });
  chmodSync(file + part, 0o755);
  renameSync(file + part, file);
  return { file, bytes: statSync(file).size };
}
