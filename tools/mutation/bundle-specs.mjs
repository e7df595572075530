// Bundles the specs of one package, and what they import from the workspace, into specs.mjs in the current folder, which
// holds a copy of the package's sources. Stryker runs it there, after it has put the mutants into the copy.
// Arguments: a file with {root, packageName, programs, specs}: the repository, the package, the folder where the test
// programs are installed, and the specs: relative ones are those of the copy.
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { build } from 'esbuild';

const { packageName, programs, specs } = JSON.parse(readFileSync(process.argv[2], 'utf8'));
const here = process.cwd();
const shim = path.join(import.meta.dirname, 'jest-on-mocha.mjs');

const specsInTurn = {
  name: 'specs-in-turn',
  setup(build) {
    build.onResolve({ filter: /^end-of-file:/ }, ({ path: specifier }) => ({
      path: specifier,
      namespace: 'end-of-file',
    }));
    build.onLoad({ filter: /./, namespace: 'end-of-file' }, () => ({
      contents: `import { endOfFile } from ${JSON.stringify(shim)}; endOfFile();`,
      resolveDir: here,
    }));
  },
};

const packages = {
  name: 'packages',
  setup(build) {
    build.onResolve({ filter: /^[^./]/ }, ({ path: specifier }) => {
      // Specs of other packages get the copy with the mutants, too.
      if (specifier === packageName) return { path: path.join(here, 'src/index.ts') };
      if (specifier.startsWith('@podwright/')) return undefined;
      if (specifier === '@jest/globals') return { path: shim };
      if (specifier === 'expect')
        return { path: path.join(programs, 'node_modules/expect/build/index.mjs'), external: true };
      return { path: specifier, external: true };
    });
  },
};

// A module is evaluated once, so each file needs an end of its own.
const importOf = (spec, index) => `import ${JSON.stringify(path.resolve(spec))}; import 'end-of-file:${index}';`;

await build({
  stdin: {
    contents: specs.map(importOf).join('\n'),
    resolveDir: here,
  },
  outfile: path.join(here, 'specs.mjs'),
  bundle: true,
  // The packages say that they have no side effects, but specs have.
  ignoreAnnotations: true,
  platform: 'node',
  format: 'esm',
  target: 'node20',
  conditions: ['podwright-source'],
  plugins: [specsInTurn, packages],
  logLevel: 'warning',
});
