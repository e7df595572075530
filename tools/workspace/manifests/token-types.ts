import { readFileSync } from 'node:fs';
import path from 'node:path';
import { listPackages, sourceFiles } from '../packages.js';
import { repositoryRoot } from '../repository-root.js';
import { importedNames } from './imported-names.js';

let found: ReadonlyMap<string, readonly string[]> | undefined;

/**
 * npm packages of the types behind a token, apart from the token's own package. A source that needs CLOCK imports only
 * the token, but the compiler writes `import("@podwright/time").Clock` into the declarations.
 */
export function packagesBehindToken(token: string): readonly string[] {
  found ??= tokenTypes();
  return found.get(token) ?? [];
}

function tokenTypes(): Map<string, readonly string[]> {
  const types = new Map<string, readonly string[]>();
  for (const { folder } of listPackages().filter(({ type }) => type === 'interface')) {
    for (const file of sourceFiles(folder, false)) {
      const text = readFileSync(path.join(repositoryRoot, file), 'utf8');
      for (const [, token = '', role = ''] of text.matchAll(/export const (\w+) = create(?:Many)?Token<([^;(]+)>\(/g)) {
        const packages = importedNames(text).filter(({ name }) => new RegExp(`\\b${name}\\b`).test(role));
        types.set(token, [...new Set(packages.map(({ from }) => from))]);
      }
    }
  }
  return types;
}
