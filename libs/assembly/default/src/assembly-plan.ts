import { CLOCK, contributedTokens, LOGGER, neededTokens, provideValue, tokenId } from '@podwright/assembly-interface';
import type {
  AnyModule,
  AssemblyFault,
  AssemblyGraph,
  AssemblyOptions,
  AssemblyReport,
  Token,
} from '@podwright/assembly-interface';
import { withDeadline } from '@podwright/concurrency';
import { importModules } from './import-modules.js';
import type { ImportModule } from './native-import.js';
import { lostOptions } from './lost-options.js';
import { requirementsOfConfig } from './config-requirements.js';
import { decodeModuleConfig } from './module-config.js';
import { checkGraph, graphOf } from './module-graph.js';
import { applyChanges, unknownModule } from './module-list.js';
import type { ListedModule, ModuleList } from './module-list.js';
import { readAssemblyFile } from './read-assembly-file.js';

// A module file may use top-level await; the bound keeps it from waiting for ever.
const loadTimeoutMs = 30_000;

/** A module with its decoded options. */
export interface PlannedModule {
  readonly module: AnyModule;
  readonly config: unknown;
}

/** The checked assembly before anything is constructed. Construct it only when `report.ok`. */
export interface AssemblyPlan {
  /** In start order. */
  readonly modules: readonly PlannedModule[];
  readonly values: ReadonlyMap<Token<unknown>, unknown>;
  readonly providers: ReadonlyMap<Token<unknown>, AnyModule>;
  readonly contributors: ReadonlyMap<Token<unknown>, readonly AnyModule[]>;
  readonly decorators: ReadonlyMap<Token<unknown>, readonly AnyModule[]>;
  readonly report: Omit<AssemblyReport, 'graph'>;
  readonly graph: () => AssemblyGraph;
}

/** Applies the assembly file and runs all checks; the report has the faults of all of them. */
export async function planAssembly(options: AssemblyOptions, importModule?: ImportModule): Promise<AssemblyPlan> {
  const list = await listModules(options, importModule);
  const values = new Map<Token<unknown>, unknown>([
    provideValue(CLOCK, options.clock),
    provideValue(LOGGER, options.logger),
    ...(options.values ?? []),
  ]);
  const known = [...options.modules, ...(options.known ?? [])];
  const { ordered, providers, contributors, decorators, faults } = checkGraph(
    list.modules,
    new Set(values.keys()),
    known,
  );
  const found: AssemblyFault[] = [...list.faults, ...faults, ...configOfNobody(options, list)];

  const isProvided = (token: Token<unknown>): boolean => values.has(token) || providers.has(token);
  const config: Record<string, unknown> = {};
  const modules = ordered.map(({ module }): PlannedModule => {
    const decoded = decodeModuleConfig(module, optionsOf(module.name, options, list));
    found.push(...decoded.faults);
    if (decoded.value !== undefined) config[module.name] = decoded.value;
    if (decoded.faults.length === 0) found.push(...requirementsOfConfig(module, decoded.value, isProvided, known));
    return { module, config: decoded.value };
  });
  const warnings = [...lostOptions(options.config ?? {}, list), ...list.warnings, ...untakenContributions(list)];
  return {
    modules,
    values,
    providers,
    contributors,
    decorators,
    report: { ok: found.length === 0, faults: found, warnings, config },
    graph: graphLater(list.modules, [...values.keys()]),
  };
}

// A function of its own, so that what it keeps is the list alone.
function graphLater(modules: readonly ListedModule[], values: readonly Token<unknown>[]): () => AssemblyGraph {
  return () => graphOf(modules, values);
}

/** Only of modules from the file: the program's own may bring more than this assembly takes. */
function untakenContributions({ modules }: ModuleList): readonly string[] {
  const taken = new Set(
    modules.flatMap(({ module }) => Object.values<readonly Token<unknown>[]>(neededTokens(module)).flat()),
  );
  return modules.flatMap(({ module, loadedFrom }) => {
    const untaken = loadedFrom === undefined ? [] : contributedTokens(module).filter((token) => !taken.has(token));
    return untaken.map((token) => `${module.name} contributes to ${tokenId(token)}, which no module takes`);
  });
}

async function listModules(options: AssemblyOptions, importModule: ImportModule | undefined): Promise<ModuleList> {
  const { assemblyFile } = options;
  if (assemblyFile === undefined) return applyChanges(options.modules, [], () => Promise.resolve([]));
  const file = await readAssemblyFile(assemblyFile);
  // A module that ships inside the program needs no package on disk. A path always names a file.
  const shipped = new Map([...(options.known ?? []), ...options.modules].map((module) => [module.name, module]));
  const list = await applyChanges(options.modules, file.changes, async (specifier) => {
    const module = shipped.get(specifier);
    if (module !== undefined) return [module];
    return withDeadline(options.clock, loadTimeoutMs, () => importModules(specifier, assemblyFile, importModule));
  });
  const named = list.faults.map((fault) => ({
    ...fault,
    message: fault.kind === 'replacement-lacks' ? fault.message : `${assemblyFile}: ${fault.message}`,
  }));
  return { ...list, faults: [...file.faults, ...named] };
}

function optionsOf(
  name: string,
  options: AssemblyOptions,
  list: ModuleList,
): Readonly<Record<string, unknown>> | undefined {
  const fromApp = options.config?.[name];
  const fromFile = list.config.get(name);
  if (fromFile === undefined) return fromApp as Readonly<Record<string, unknown>> | undefined;
  return { ...(fromApp as Readonly<Record<string, unknown>> | undefined), ...fromFile };
}

/**
 * Faults for options of modules that nobody knows. Options for a module that the file has omitted or replaced are none.
 */
function configOfNobody({ modules, known = [], config = {} }: AssemblyOptions, list: ModuleList): AssemblyFault[] {
  const names = new Set([...modules, ...known, ...list.modules.map(({ module }) => module)].map(({ name }) => name));
  const unknown = Object.keys(config).filter((name) => !names.has(name));
  return unknown.map((name) => unknownModule(name, [...names], 'config'));
}
