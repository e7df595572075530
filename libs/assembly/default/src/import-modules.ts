import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import type { AnyModule } from '@podwright/assembly-interface';

/** Loads a file by its `file:` URL and returns its exports. */
export type ImportModule = (url: string) => Promise<unknown>;

const nativeImport: ImportModule = (url) => import(url);

/**
 * Loads what the assembly file names: a path relative to the file's folder, or an npm package as seen from there. The
 * module is its default export, or its export `module`, or its only export that is a module; each may be a list.
 */
export async function importModules(
  specifier: string,
  assemblyFile: string,
  importModule: ImportModule = nativeImport,
): Promise<readonly AnyModule[]> {
  const file = await resolveSpecifier(specifier, path.resolve(assemblyFile));
  const exported = await importModule(pathToFileURL(file).href);
  const found = modulesIn(exported);
  if (found !== undefined) return found;
  const names = isObject(exported) ? Object.keys(exported).join(', ') : '';
  throw new Error(`${file} has no module as its default export or export \`module\` (exports: ${names || 'none'})`);
}

/** Whether a specifier names a file, relative to the folder of the assembly file or absolute, and not a package. */
export function isFilePath(specifier: string): boolean {
  return /^\.{0,2}\//.test(specifier);
}

async function resolveSpecifier(specifier: string, assemblyFile: string): Promise<string> {
  if (isFilePath(specifier)) return path.resolve(path.dirname(assemblyFile), specifier);
  try {
    return createRequire(assemblyFile).resolve(specifier);
  } catch (error) {
    // A package that exports nothing to require(), only to import.
    if (!isObject(error) || error['code'] !== 'ERR_PACKAGE_PATH_NOT_EXPORTED') throw error;
    return resolveImportOnly(specifier, assemblyFile);
  }
}

async function resolveImportOnly(specifier: string, assemblyFile: string): Promise<string> {
  const [, name = specifier, subpath = ''] = /^((?:@[^/]+\/)?[^/]+)(?:\/(.*))?$/.exec(specifier) ?? [];
  for (const folder of createRequire(assemblyFile).resolve.paths(name) ?? []) {
    const root = path.join(folder, name);
    const text = await readFile(path.join(root, 'package.json'), 'utf8').catch(() => undefined);
    if (text === undefined) continue;
    const { exports } = JSON.parse(text) as { exports?: unknown };
    const key = subpath === '' ? '.' : `./${subpath}`;
    const target = chooseTarget(isObject(exports) && Object.hasOwn(exports, key) ? exports[key] : exports);
    if (target !== undefined) return path.join(root, target);
  }
  throw new Error(`package ${name} exports nothing to import for ${specifier}`);
}

/** First target whose conditions hold for `import` on Node, in the order of the package's author. */
function chooseTarget(exports: unknown): string | undefined {
  if (typeof exports === 'string') return exports;
  if (!isObject(exports)) return undefined;
  for (const [condition, target] of Object.entries(exports)) {
    if (!['import', 'node', 'module-sync', 'default'].includes(condition)) continue;
    const chosen = chooseTarget(target);
    if (chosen !== undefined) return chosen;
  }
  return undefined;
}

function modulesIn(exported: unknown): readonly AnyModule[] | undefined {
  if (!isObject(exported)) return undefined;
  // A CommonJS file arrives as `default`, with its own `default` or `module` inside.
  const inner = isObject(exported['default']) ? exported['default'] : {};
  for (const candidate of [exported['default'], exported['module'], inner['default'], inner['module']]) {
    const list: unknown = Array.isArray(candidate) ? candidate : [candidate];
    if (Array.isArray(list) && list.length > 0 && list.every(isModule)) return list;
  }
  const named = Object.values(exported).filter(isModule);
  return named.length === 1 ? named : undefined;
}

/** True for what `defineModule` returns, also from another copy of the interface package. */
function isModule(value: unknown): value is AnyModule {
  if (!isObject(value)) return false;
  const isTokens = (tokens: unknown): boolean =>
    Array.isArray(tokens) && tokens.every((token) => typeof token === 'symbol');
  return (
    typeof value['name'] === 'string' &&
    isTokens(value['provides']) &&
    isTokens(value['requires']) &&
    isTokens(value['optional'] ?? []) &&
    typeof value['register'] === 'function'
  );
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null;
}
