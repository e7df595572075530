import { mkdirSync } from 'node:fs';
import path from 'node:path';
import { repositoryRoot } from './install.mjs';

/** Bundles `entry` with workspace packages from source; npm packages stay external. Returns the file to import. */
export async function bundleEntry(entry) {
  const { build } = await import('esbuild');
  const absolute = path.resolve(repositoryRoot, entry);
  const name = path.relative(repositoryRoot, absolute).replace(/[\\/]/g, '-').replace(/\.ts$/, '.mjs');
  // Inside the repository, so that external npm packages resolve from its node_modules.
  const outfile = path.join(repositoryRoot, 'node_modules/.cache/podwright', name);
  mkdirSync(path.dirname(outfile), { recursive: true });
  await build({
    entryPoints: [absolute],
    outfile,
    bundle: true,
    platform: 'node',
    format: 'esm',
    target: 'node20',
    sourcemap: 'inline',
    conditions: ['podwright-source'],
    plugins: [externalNpmPackages],
    define: { 'import.meta.dirname': JSON.stringify(path.dirname(absolute)) },
    logLevel: 'warning',
  });
  return outfile;
}

const externalNpmPackages = {
  name: 'external-npm-packages',
  setup(build) {
    // Only workspace packages are bundled; `node:` modules and npm packages stay imports.
    build.onResolve({ filter: /^[^./]/ }, ({ path: specifier }) =>
      specifier.startsWith('@podwright/') ? undefined : { external: true, path: specifier },
    );
  },
};
