import { readFileSync } from 'node:fs';
import path from 'node:path';
import ts from 'typescript';
import { sourceFiles } from '../packages.js';
import { repositoryRoot } from '../repository-root.js';

/** npm packages that the published sources of a package import, with one file each that does. */
export function publishedImports(folder: string): Map<string, string> {
  const found = new Map<string, string>();
  for (const file of sourceFiles(folder, false)) {
    const text = readFileSync(path.join(repositoryRoot, file), 'utf8');
    for (const { fileName } of ts.preProcessFile(text, true, true).importedFiles) {
      const name = packageName(fileName);
      if (name !== undefined && !found.has(name)) found.set(name, file);
    }
  }
  return found;
}

/** `@scope/name` or `name` of a bare specifier; undefined for relative ones and Node's own modules. */
export function packageName(specifier: string): string | undefined {
  if (/^(\.|\/|node:|#)/.test(specifier)) return undefined;
  const parts = specifier.split('/');
  return specifier.startsWith('@') ? parts.slice(0, 2).join('/') : parts[0];
}
