import { chmodSync, mkdirSync, renameSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { build } from 'esbuild';
import { repositoryRoot } from '../workspace/repository-root.js';

/** Where the bundle lands. */
export const kubeletFile = path.join(repositoryRoot, 'dist/kubelet');

/**
 * Bundles apps/kubelet with everything it needs into one executable file. CommonJS, because a file without a suffix is
 * CommonJS to Node wherever an operator copies it; names are kept, because logs and errors show them.
 */
export async function buildKubelet(): Promise<{ readonly file: string; readonly bytes: number }> {
  mkdirSync(path.dirname(kubeletFile), { recursive: true });
  // Inside this repository the nearest package.json says "module"; this one stands between.
  writeFileSync(path.join(path.dirname(kubeletFile), 'package.json'), '{ "type": "commonjs" }\n');
  // Moved into place whole: a kubelet may be running from the old one, or starting this instant.
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
