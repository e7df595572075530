import { chmodSync, mkdirSync, renameSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { build } from 'esbuild';
import { repositoryRoot } from '../workspace/repository-root.js';

/** Path of the bundle. */
export const kubeletFile = path.join(repositoryRoot, 'dist/kubelet');

/**
 * Bundles apps/kubelet and its dependencies into one executable file. CommonJS, because Node treats a file without a
 * suffix as CommonJS wherever an operator copies it. Names are kept, because logs and errors show them.
 */
export async function buildKubelet(): Promise<{ readonly file: string; readonly bytes: number }> {
  mkdirSync(path.dirname(kubeletFile), { recursive: true });
  // Shields the bundle from the repository's package.json, which says "module".
  writeFileSync(path.join(path.dirname(kubeletFile), 'package.json'), '{ "type": "commonjs" }\n');
  // Renamed into place: a kubelet may be running from the old file or starting right now.
  const building = `${kubeletFile}.${process.pid}`;
  await build({
    entryPoints: [path.join(repositoryRoot, 'apps/kubelet/src/main.ts')],
    outfile: building,
    bundle: true,
    platform: 'node',
    format: 'cjs',
    target: 'node20',
    conditions: ['podwright-source'],
    banner: { js: '#!/usr/bin/env node' },
    minifyWhitespace: true,
    minifySyntax: true,
    keepNames: true,
    legalComments: 'none',
    logLevel: 'warning',
  });
  chmodSync(building, 0o755);
  renameSync(building, kubeletFile);
  return { file: kubeletFile, bytes: statSync(kubeletFile).size };
}
