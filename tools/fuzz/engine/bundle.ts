import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { build, type BuildOptions } from 'esbuild';
import { addProbes } from './add-probes.js';

export interface TargetBundle {
  readonly bundle: string;
  readonly probes: number;
  readonly words: readonly string[];
}

const cache = 'node_modules/.cache/podwright/fuzz';
const shared: BuildOptions = {
  bundle: true,
  platform: 'node',
  target: 'node20',
  keepNames: true,
  conditions: ['podwright-source'],
  logLevel: 'error',
};

/** One target with all that it uses, also npm packages, and with probes in all of it. */
export async function bundleTarget(name: string, root: string): Promise<TargetBundle> {
  const bundle = path.join(root, cache, `${name}.cjs`);
  await build({
    ...shared,
    entryPoints: [path.join(root, 'tools/fuzz/targets', `${name}.ts`)],
    outfile: bundle,
    format: 'cjs',
    define: {
      'import.meta.dirname': JSON.stringify(path.join(root, 'tools/fuzz/targets')),
      'import.meta.url': '"file:///"',
    },
  });
  const { code, ...rest } = await addProbes(readFileSync(bundle, 'utf8'), bundle);
  writeFileSync(bundle, code);
  return { bundle, ...rest };
}

/** The fuzzer itself, which has no probes. */
export async function bundleChild(root: string): Promise<string> {
  const outfile = path.join(root, cache, 'child.mjs');
  await build({ ...shared, entryPoints: [path.join(root, 'tools/fuzz/engine/child.ts')], outfile, format: 'esm' });
  return outfile;
}
