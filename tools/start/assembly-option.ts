import { existsSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { isFilePath } from '@podwright/assembly';
import { build, type BuildOptions } from 'esbuild';
import { parseDocument } from 'yaml';
import { repositoryRoot } from '../workspace/repository-root.js';

export type AssemblyEntry = Readonly<Record<string, unknown>>;

/**
 * Reads the changes of a user's assembly file for the file of this run. The latter is in another folder, so paths
 * become absolute. Only the kubelet checks the entries. Throws with the file's name when it has no list of changes.
 */
export function readAssemblyEntries(file: string): readonly AssemblyEntry[] {
  const document = parseDocument(readFileSync(file, 'utf8'));
  const [fault] = document.errors;
  if (fault !== undefined) throw new Error(`${file}: ${fault.message}`);
  const { kind, modules } = (document.toJS() ?? {}) as { readonly kind?: unknown; readonly modules?: unknown };
  if (kind !== 'Assembly' || !Array.isArray(modules))
    throw new Error(`${file} must be an Assembly with a list of modules`);
  return (modules as readonly AssemblyEntry[]).map((entry) =>
    withFiles(entry, (relative) => path.resolve(path.dirname(file), relative)),
  );
}

/**
 * Writes the assembly file of this run and compiles its TypeScript modules into the same folder: Node 20 cannot load
 * TypeScript, and the workspace packages that the modules import are not built here.
 */
export async function writeAssembly(file: string, entries: readonly AssemblyEntry[]): Promise<void> {
  const compiled = new Map<string, string>();
  const modules = entries.map((entry) =>
    withFiles(entry, (module) => {
      if (!/\.[cm]?ts$/.test(module)) return module;
      const outfile =
        compiled.get(module) ??
        path.join(path.dirname(file), 'modules', `${compiled.size}`, `${path.parse(module).name}.cjs`);
      compiled.set(module, outfile);
      return outfile;
    }),
  );
  for (const [entryPoint, outfile] of compiled) {
    await build({
      entryPoints: [entryPoint],
      outfile,
      bundle: true,
      platform: 'node',
      target: 'node20',
      ...packagesOf(entryPoint),
      sourcemap: 'inline',
      logLevel: 'warning',
    });
  }
  writeFileSync(
    file,
    JSON.stringify({ apiVersion: 'assembly.podwright.dev/v1alpha1', kind: 'Assembly', modules }, null, 2),
  );
}

/**
 * A user's module resolves packages from its own folder. If there are none, it gets the workspace's packages. Those are
 * not built, so they are compiled from their sources; installed packages have no sources.
 */
function packagesOf(module: string): Pick<BuildOptions, 'conditions' | 'nodePaths'> {
  const installed = createRequire(module).resolve.paths('@podwright/x') ?? [];
  const own = installed.map((folder) => path.join(folder, '@podwright')).find((folder) => existsSync(folder));
  const conditions = ['podwright-source'];
  if (own === undefined) return { conditions, nodePaths: [path.join(repositoryRoot, 'node_modules')] };
  return existsSync(path.join(own, 'assembly-interface/src')) ? { conditions } : {};
}

/** A copy of the entry with its file paths mapped by `pathOf`. */
function withFiles(entry: AssemblyEntry, pathOf: (file: string) => string): AssemblyEntry {
  const changed = ['with', 'add'].flatMap((key) => {
    const specifier = entry[key];
    return typeof specifier === 'string' && isFilePath(specifier) ? [[key, pathOf(specifier)]] : [];
  });
  return { ...entry, ...(Object.fromEntries(changed) as AssemblyEntry) };
}

/**
 * Links the nearest `node_modules` above the user's file into the run's folder, so that its modules find their npm
 * packages.
 */
export function linkPackages(dir: string, file: string): void {
  for (let folder = path.dirname(file); ; folder = path.dirname(folder)) {
    const packages = path.join(folder, 'node_modules');
    if (existsSync(packages)) return symlinkSync(packages, path.join(dir, 'node_modules'));
    if (folder === path.dirname(folder)) return;
  }
}
