import { existsSync, readFileSync, symlinkSync } from 'node:fs';
import path from 'node:path';
import { isFilePath } from '@podwright/assembly';
import { parseDocument } from 'yaml';

export type AssemblyEntry = Readonly<Record<string, unknown>>;

/**
 * The changes of a user's assembly file, for the file of a run, which lies in another folder: paths are absolute. What is wrong
 * in an entry is the kubelet's to say. Throws with a sentence that names the file when it has no list of changes.
 */
export function readAssemblyEntries(file: string): readonly AssemblyEntry[] {
  const document = parseDocument(readFileSync(file, 'utf8'));
  const [fault] = document.errors;
  if (fault !== undefined) throw new Error(`${file}: ${fault.message}`);
  const { kind, modules } = (document.toJS() ?? {}) as { readonly kind?: unknown; readonly modules?: unknown };
  if (kind !== 'Assembly' || !Array.isArray(modules))
    throw new Error(`${file} must be an Assembly with a list of modules`);
  const placeOf = (specifier: unknown): unknown =>
    typeof specifier === 'string' && isFilePath(specifier) ? path.resolve(path.dirname(file), specifier) : specifier;
  return (modules as readonly AssemblyEntry[]).map((entry) => ({
    ...entry,
    ...('with' in entry && { with: placeOf(entry['with']) }),
    ...('add' in entry && { add: placeOf(entry['add']) }),
  }));
}

/** Lets the file of a run find the npm packages that the user's file finds: those of the nearest `node_modules` above it. */
export function linkPackages(dir: string, file: string): void {
  for (let folder = path.dirname(file); ; folder = path.dirname(folder)) {
    const packages = path.join(folder, 'node_modules');
    if (existsSync(packages)) return symlinkSync(packages, path.join(dir, 'node_modules'));
    if (folder === path.dirname(folder)) return;
  }
}
