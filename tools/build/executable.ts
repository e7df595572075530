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
  mkdirSync(path.dirname(file), { recursive: true });
  // Shields the bundle from the repository's package.json, which says "module".
  writeFileSync(path.join(path.dirname(file), 'package.json'), '{ "type": "commonjs" }\n');
  // Renamed into place: the program may be running from the old file or starting right now.
  const building = `${file}.${process.pid}`;
  await bundleApp(app, building, { target: 'node20', banner: { js: '#!/usr/bin/env node' } });
  chmodSync(building, 0o755);
  renameSync(building, file);
  return { file, bytes: statSync(file).size };
}
