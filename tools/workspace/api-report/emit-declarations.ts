import { spawnSync } from 'node:child_process';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { WorkspacePackage } from '../packages.js';
import { repositoryRoot } from '../repository-root.js';

/**
 * Compiles the sources of `packages` to declarations in one run. Returns a folder that mirrors the repository. Ignores
 * type errors: the type check reports them.
 */
export function emitDeclarations(packages: readonly WorkspacePackage[]): string {
  const cache = path.join(repositoryRoot, 'node_modules/.cache/podwright');
  const output = path.join(cache, 'api');
  rmSync(output, { recursive: true, force: true });
  mkdirSync(output, { recursive: true });
  const config = path.join(cache, 'api-tsconfig.json');
  writeFileSync(
    config,
    JSON.stringify({
      extends: path.join(repositoryRoot, 'tsconfig.base.json'),
      compilerOptions: {
        rootDir: repositoryRoot,
        outDir: output,
        emitDeclarationOnly: true,
        removeComments: true,
        sourceMap: false,
        typeRoots: [path.join(repositoryRoot, 'node_modules/@types')],
      },
      include: packages.map(({ folder }) => path.join(repositoryRoot, folder, 'src')),
      exclude: ['**/*.spec.ts'].map((pattern) => path.join(repositoryRoot, pattern)),
    }),
  );
  const tsc = path.join(repositoryRoot, 'node_modules/typescript-native/bin/tsc');
  const { error } = spawnSync(process.execPath, [tsc, '-p', config, '--noCheck', '--singleThreaded'], {
    cwd: repositoryRoot,
    stdio: 'ignore',
  });
  if (error) throw error;
  return output;
}
