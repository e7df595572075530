import { chmodSync, mkdirSync, renameSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { build } from 'esbuild';
import { repositoryRoot } from '../workspace/repository-root.js';

/** A bundle in `dist`. */
export interface Executable {
  readonly file: string;
  readonly bytes: number;
}

/** Path of the executable of an app. */
export function executableFile(app: string): string {
  return path.join(repositoryRoot, 'dist', app);
}

/**
 * Bundles `apps/<app>` and its dependencies into one executable file. CommonJS, because Node treats a file without a
 * suffix as CommonJS wherever an operator copies it. Names are kept, because logs and errors show them.
 */
export async function buildExecutable(app: string): Promise<Executable> {
  const file = executableFile(app);
  mkdirSync(path.dirname(file), { recursive: true });
  // Shields the bundle from the repository's package.json, which says "module".
  writeFileSync(path.join(path.dirname(file), 'package.json'), '{ "type": "commonjs" }\n');
  // Renamed into place: the program may be running from the old file or starting right now.
  const building = `${file}.${process.pid}`;
  await build({
    entryPoints: [path.join(repositoryRoot, 'apps', app, 'src/main.ts')],
    outfile: building,
    bundle: true,
    platform: 'node',
    format: 'cjs',
    target: 'node20',
    conditions: ['podwright-source'],
    // Its ES module asks for its own URL, which a bundle does not have.
    alias: { yargs: path.join(repositoryRoot, 'node_modules/yargs/index.cjs') },
    banner: { js: '#!/usr/bin/env node' },
    minifyWhitespace: true,
    minifySyntax: true,
    keepNames: true,
    legalComments: 'none',
    logLevel: 'warning',
  });
  chmodSync(building, 0o755);
  renameSync(building, file);
  return { file, bytes: statSync(file).size };
}
