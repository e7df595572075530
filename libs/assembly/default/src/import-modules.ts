import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import type { AnyModule } from '@podwright/assembly-interface';
import { nativeImport, type ImportModule } from './native-import.js';
import { explainTypeScriptRefusal } from './typescript-refusal.js';

/**
 * Loads the modules behind a specifier in the assembly file: a path relative to the file's folder, or an npm package
 * resolved from there. A module is the default export, the export `module`, or the only export that is a module; the
 * first two may be lists.
 */
export async function importModules(
  specifier: string,
  assemblyFile: string,
  importModule: ImportModule = nativeImport,
): Promise<readonly AnyModule[]> {
  const file = await resolveSpecifier(specifier, path.resolve(assemblyFile));
  const exported = await importModule(pathToFileURL(file).href).catch((error: unknown) => {
    throw explainTypeScriptRefusal(error, file);
  });
  const found = modulesIn(exported);
  if (found !== undefined) return found;
  const names = isObject(exported) ? Object.keys(exported).join(', ') : '';
  throw new Error(`${file} has no module as its default export or export \`module\` (exports: ${names || 'none'})`);
}

/** True for a specifier that is a path, relative to the assembly file's folder or absolute; false for a package. */
export function isFilePath(specifier: string): boolean {
  return /^\.{0,2}\//.test(specifier);
}

async function resolveSpecifier(specifier: string, assemblyFile: string): Promise<string> {
  if (isFilePath(specifier)) return path.resolve(path.dirname(assemblyFile), specifier);
  try {
    return createRequire(assemblyFile).resolve(specifier);
  } catch (error) {
    // The package exports nothing for require(), only for import.
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

/** The first target whose conditions hold for `import` on Node, in the package's order. */
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
  // The exports of a CommonJS file are `default`, which may have its own `default` or `module`.
  const inner = isObject(exported['default']) ? exported['default'] : {};
  for (const candidate of [exported['default'], exported['module'], inner['default'], inner['module']]) {
    const list: unknown = Array.isArray(candidate) ? candidate : [candidate];
    if (Array.isArray(list) && list.length > 0 && list.every(isModule)) return list;
  }
  const named = Object.values(exported).filter(isModule);
  return named.length === 1 ? named : undefined;
}

/** True for a result of `defineModule`, also of another copy of the interface package. */
function isModule(value: unknown): value is AnyModule {
  if (!isObject(value)) return false;
  const isTokens = (tokens: unknown): boolean =>
    isObject(tokens) && Object.values(tokens).every((token) => typeof token === 'symbol');
  if (typeof value['name'] !== 'string' || !isTokens(value['provides'])) return false;
  return (
    typeof value['create'] === 'function' && isNeeds(value['needs'] ?? {}) && isContributions(value['contributes'])
  );
}

function isNeeds(value: unknown): boolean {
  const isNeed = (need: unknown): boolean =>
    typeof need === 'symbol' || (isObject(need) && typeof need['optional'] === 'symbol');
  return isObject(value) && Object.values(value).every(isNeed);
}

function isContributions(value: unknown): boolean {
  const isContribution = (entry: unknown): boolean =>
    isObject(entry) && typeof entry['token'] === 'symbol' && typeof entry['of'] === 'function';
  return value === undefined || (Array.isArray(value) && value.every(isContribution));
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null;
}
