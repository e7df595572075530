import { contributedTokens, neededTokens, providedTokens, tokenId } from '@podwright/assembly-interface';
import type { AnyModule, AssemblyFault, Token } from '@podwright/assembly-interface';
import { messageOf } from '@podwright/errors';
import type { AssemblyChange, ModuleOptions } from './assembly-file.js';
import { isFilePath } from './import-modules.js';
import { nearestNames } from './nearest-names.js';

/** A module of the assembly and its origin. */
export interface ListedModule {
  readonly module: AnyModule;
  readonly replaces?: string;
  readonly loadedFrom?: string;
}

export interface ModuleList {
  readonly modules: readonly ListedModule[];
  /** Options in the assembly file, by module name. */
  readonly config: ReadonlyMap<string, ModuleOptions>;
  readonly faults: readonly AssemblyFault[];
  /** What a replacement does not bring although the replaced module did. */
  readonly warnings: readonly string[];
}

export type LoadModules = (specifier: string) => Promise<readonly AnyModule[]>;

/**
 * Applies the changes of an assembly file in order. It skips faulty changes, so that later checks can find more faults.
 */
export async function applyChanges(
  modules: readonly AnyModule[],
  changes: readonly AssemblyChange[],
  load: LoadModules,
): Promise<ModuleList> {
  let list: ListedModule[] = modules.map((module) => ({ module }));
  const config = new Map<string, ModuleOptions>();
  const faults: AssemblyFault[] = [];
  const warnings: string[] = [];

  const find = (name: string, field: string): number | undefined => {
    const index = list.findIndex(({ module }) => module.name === name);
    if (index !== -1) return index;
    faults.push(
      unknownModule(
        name,
        list.map(({ module }) => module.name),
        field,
      ),
    );
    return undefined;
  };
  const loadFor = async (specifier: string, field: string): Promise<readonly AnyModule[]> => {
    try {
      return await load(specifier);
    } catch (error) {
      const message = `${field}: cannot load module ${specifier}: ${messageOf(error)}`;
      faults.push({ kind: 'module-load', module: specifier, field, message, hint: loadHint(specifier, message) });
      return [];
    }
  };
  const configure = (loaded: readonly AnyModule[], options: ModuleOptions | undefined): void => {
    const [first] = loaded;
    if (first !== undefined && options !== undefined) config.set(first.name, { ...config.get(first.name), ...options });
  };

  for (const change of changes) {
    if (change.kind === 'configure') {
      const index = find(change.name, change.field);
      const target = index === undefined ? undefined : list[index];
      if (target !== undefined) configure([target.module], change.config);
    } else if (change.kind === 'omit') {
      const index = find(change.name, change.field);
      const refused = index === undefined ? undefined : refuseOmit(list, index, change.field);
      if (refused !== undefined) faults.push(refused);
      else if (index !== undefined) list = list.toSpliced(index, 1);
    } else if (change.kind === 'add') {
      const loaded = await loadFor(change.specifier, change.field);
      list.push(...loaded.map((module) => ({ module, loadedFrom: change.specifier })));
      configure(loaded, change.config);
    } else {
      const index = find(change.name, change.field);
      const loaded = await loadFor(change.specifier, change.field);
      const replaced = index === undefined ? undefined : list[index];
      if (index === undefined || replaced === undefined || loaded.length === 0) continue;
      faults.push(...missingTokens(replaced.module, loaded));
      warnings.push(...lostContributions(replaced.module, loaded));
      const origin = { replaces: change.name, loadedFrom: change.specifier };
      list = list.toSpliced(index, 1, ...loaded.map((module) => ({ module, ...origin })));
      configure(loaded, change.config);
    }
  }
  return { modules: list, config, faults, warnings };
}

function loadHint(specifier: string, message: string): string {
  const [, imported] = /Cannot find package '([^']+)' imported from/.exec(message) ?? [];
  if (imported !== undefined && imported !== specifier)
    return `install ${imported} for the module (npm install in its folder), or bundle the module with it`;
  return isFilePath(specifier)
    ? 'the path is taken from the folder of the assembly file; the file has to export a module'
    : 'use a path that starts with ./ (from the folder of the assembly file) or a package installed there';
}

function refuseOmit(list: readonly ListedModule[], index: number, field: string): AssemblyFault | undefined {
  const omitted = list[index]?.module;
  if (omitted === undefined) return undefined;
  const needs: string[] = [];
  const tokens: Token<unknown>[] = [];
  for (const { module } of list) {
    if (module === omitted) continue;
    for (const token of neededTokens(module).requires.filter((required) =>
      providedTokens(omitted).includes(required),
    )) {
      needs.push(`${module.name} requires ${tokenId(token)}`);
      tokens.push(token);
    }
  }
  const [first] = tokens;
  if (first === undefined) return undefined;
  const message = `${field}: ${omitted.name} cannot be omitted: ${needs.join(', ')}`;
  return {
    kind: 'required-omitted',
    module: omitted.name,
    token: tokenId(first),
    field,
    message,
    hint: 'replace it, or omit those too',
  };
}

function missingTokens(replaced: AnyModule, loaded: readonly AnyModule[]): AssemblyFault[] {
  const names = loaded.map((module) => module.name).join(', ');
  return providedTokens(replaced)
    .filter((token) => !loaded.some((module) => providedTokens(module).includes(token)))
    .map((token) => ({
      kind: 'replacement-lacks',
      module: names,
      token: tokenId(token),
      message: `${names} replaces ${replaced.name} but does not provide ${tokenId(token)}`,
      hint: `add it to \`provides\`; ${replaced.name} provides ${providedTokens(replaced).map(tokenId).join(', ')}`,
    }));
}

function lostContributions(replaced: AnyModule, loaded: readonly AnyModule[]): readonly string[] {
  const brought = new Set(loaded.flatMap(contributedTokens));
  const lost = contributedTokens(replaced).filter((token) => !brought.has(token));
  if (lost.length === 0) return [];
  const names = loaded.map((module) => module.name).join(', ');
  return [
    `${names} replaces ${replaced.name} but contributes nothing to ${lost.map(tokenId).join(', ')}, as that one did`,
  ];
}

/** The fault for a module name that does not exist, with similar names as its hint. */
export function unknownModule(name: string, known: readonly string[], field: string): AssemblyFault {
  const nearest = nearestNames(name, known);
  return {
    kind: 'unknown-module',
    module: name,
    field,
    value: name,
    message: `${field}: no module ${name} in the assembly`,
    hint: nearest.length > 0 ? `did you mean ${nearest.join(' or ')}?` : `modules are ${known.join(', ')}`,
  };
}
