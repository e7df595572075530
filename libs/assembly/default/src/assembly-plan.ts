import { CLOCK, LOGGER, provideValue } from '@podwright/assembly-interface';
import type { AnyModule, AssemblyFault, AssemblyOptions, AssemblyReport, Token } from '@podwright/assembly-interface';
import { withDeadline } from '@podwright/concurrency';
import { importModules } from './import-modules.js';
import type { ImportModule } from './import-modules.js';
import { lostOptions } from './lost-options.js';
import { decodeModuleConfig } from './module-config.js';
import { checkGraph } from './module-graph.js';
import { applyChanges, unknownModule } from './module-list.js';
import type { ModuleList } from './module-list.js';
import { recordRegistrations } from './module-registrations.js';
import type { ModuleRegistrations } from './module-registrations.js';
import { readAssemblyFile } from './read-assembly-file.js';

// A module file may wait at its top level; for ever is too long.
const loadTimeoutMs = 30_000;

/** A module with all that is needed to construct it. */
export interface PlannedModule {
  readonly module: AnyModule;
  readonly registrations: ModuleRegistrations;
  readonly config: unknown;
}

/** Everything that is known before anything is constructed. To be built only when the report is ok. */
export interface AssemblyPlan {
  /** In the order of start. */
  readonly modules: readonly PlannedModule[];
  readonly values: ReadonlyMap<Token<unknown>, unknown>;
  readonly providers: ReadonlyMap<Token<unknown>, AnyModule>;
  readonly report: AssemblyReport;
}

/** Applies the assembly file and runs all checks; their faults come together. */
export async function planAssembly(options: AssemblyOptions, importModule?: ImportModule): Promise<AssemblyPlan> {
  const list = await listModules(options, importModule);
  const values = new Map<Token<unknown>, unknown>([
    provideValue(CLOCK, options.clock),
    provideValue(LOGGER, options.logger),
    ...(options.values ?? []),
  ]);
  const known = [...options.modules, ...(options.known ?? [])];
  const { ordered, providers, graph, faults } = checkGraph(list.modules, new Set(values.keys()), known);
  const found: AssemblyFault[] = [...list.faults, ...faults, ...configOfNobody(options, list)];

  const config: Record<string, unknown> = {};
  const modules = ordered.map(({ module }): PlannedModule => {
    const decoded = decodeModuleConfig(module, optionsOf(module.name, options, list));
    const registrations = recordRegistrations(module);
    found.push(...decoded.faults, ...registrations.faults);
    if (decoded.value !== undefined) config[module.name] = decoded.value;
    return { module, registrations, config: decoded.value };
  });
  const warnings = lostOptions(options.config ?? {}, list);
  return { modules, values, providers, report: { ok: found.length === 0, faults: found, warnings, graph, config } };
}

async function listModules(options: AssemblyOptions, importModule: ImportModule | undefined): Promise<ModuleList> {
  const { assemblyFile } = options;
  if (assemblyFile === undefined) return applyChanges(options.modules, [], () => Promise.resolve([]));
  const file = await readAssemblyFile(assemblyFile);
  // A part that ships inside the program needs no package on disk. A path always means the file it names.
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

/** The app's options for a module that the file has taken out go unused; for one that never was there they are a mistake. */
function configOfNobody({ modules, known = [], config = {} }: AssemblyOptions, list: ModuleList): AssemblyFault[] {
  const names = new Set([...modules, ...known, ...list.modules.map(({ module }) => module)].map(({ name }) => name));
  const unknown = Object.keys(config).filter((name) => !names.has(name));
  return unknown.map((name) => unknownModule(name, [...names], 'config'));
}
