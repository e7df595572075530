import { readFileSync } from 'node:fs';
import path from 'node:path';
import ts from 'typescript';
import { sourceFiles } from '../packages.js';
import { repositoryRoot } from '../repository-root.js';
import { importedNames, packageName } from './imported-names.js';
import { packagesBehindToken } from './token-types.js';

/**
 * npm packages that a package's published sources import, or that their declarations will import, each with one
 * importing file.
 */
export function publishedImports(folder: string): Map<string, string> {
  const found = new Map<string, string>();
  // Fixtures serve specs; each tsconfig excludes them from publication.
  for (const file of sourceFiles(folder, false).filter((name) => !name.includes('/fixtures/'))) {
    const text = readFileSync(path.join(repositoryRoot, file), 'utf8');
    const imported = ts.preProcessFile(text, true, true).importedFiles.map(({ fileName }) => packageName(fileName));
    const behind = /\bneeds\(/.test(text) ? importedNames(text).flatMap(({ name }) => packagesBehindToken(name)) : [];
    for (const name of [...imported, ...behind]) {
      if (name !== undefined && !found.has(name)) found.set(name, file);
    }
  }
  return found;
}
