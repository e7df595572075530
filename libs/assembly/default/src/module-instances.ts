import 'reflect-metadata';
import { neededTokens, takesMany, tokenId } from '@podwright/assembly-interface';
import type { AnyModule, Token } from '@podwright/assembly-interface';
import { KubeletError } from '@podwright/errors';
import { container as rootContainer } from 'tsyringe';
import type { AssemblyPlan } from './assembly-plan.js';
import { contributionsOf, ModuleBuilder, once, type Decorated } from './module-builder.js';

/** The constructed instances of one module, each after those it needs. */
export interface ModuleInstances {
  readonly name: string;
  readonly instances: readonly object[];
}

export interface Construction {
  readonly modules: readonly ModuleInstances[];
  /** Throws `not-found` for a token that neither a module nor the app provides. */
  get<T>(token: Token<T>): T;
}

/** Gives the instance of a token. */
type Source = () => unknown;

interface Created {
  /** What the `create` of each module returned, in start order. */
  readonly values: ReadonlyMap<AnyModule, unknown>;
  readonly instances: ReadonlyMap<AnyModule, readonly unknown[]>;
  /** Without the many-tokens that no module has taken. */
  readonly sources: ReadonlyMap<Token<unknown>, Source>;
}

/**
 * Constructs the modules of a plan in one container. When a `create` throws, the error names the module. It does not
 * use tsyringe's root container, which everything in the process shares.
 */
export function constructModules(plan: AssemblyPlan): Construction {
  const { values, instances, sources } = create(plan);
  const owned = new Set<unknown>(plan.values.values());
  const modules = [...instances].map(([{ name }, all]) => {
    const fresh = new Set(all.filter((instance) => isObject(instance) && !owned.has(instance)));
    for (const instance of fresh) owned.add(instance);
    return { name, instances: [...fresh] as object[] };
  });
  const untaken = manyTokensIn(plan)
    .filter((token) => !sources.has(token))
    .map((token) => [token, once(listOf(plan, token, (module) => values.get(module)))] as const);
  return { modules, get: getter(new Map([...sources, ...untaken])) };
}

// The container lives as long as this function: it takes more memory than all that the modules make at first.
function create(plan: AssemblyPlan): Created {
  const shared = rootContainer.createChildContainer();
  const sources = new Map<Token<unknown>, Source>();
  const builders = new Map(
    plan.modules.map(({ module, config }) => [module, new ModuleBuilder(module, config, shared)]),
  );
  const decorated: Decorated = (token, provided) => {
    const decorators = plan.decorators.get(token);
    if (decorators === undefined) return provided;
    return once(() => decorators.reduce((inner, module) => builders.get(module)?.decorate(token, inner), provided()));
  };
  for (const [token, value] of plan.values) {
    if (!takesMany(token)) shared.register<unknown>(token, { useFactory: decorated(token, constant(value)) });
  }
  for (const builder of builders.values()) builder.publish(decorated);
  for (const token of manyTokensIn(plan)) {
    const list = listOf(plan, token, (module) => builders.get(module)?.create());
    const useFactory = once(() => {
      const contributions = list();
      sources.set(token, constant(contributions));
      return contributions;
    });
    shared.register<unknown>(token, { useFactory });
  }
  const instances = new Map([...builders].map(([module, builder]) => [module, builder.instances()]));
  const single = [...plan.values.keys(), ...plan.providers.keys()].filter((token) => !takesMany(token));
  for (const token of single) sources.set(token, constant(shared.resolve<unknown>(token)));
  return {
    values: new Map([...builders].map(([module, builder]) => [module, builder.create()])),
    instances,
    sources,
  };
}

// Not inside `create`: what is made there keeps everything there, the container too.
function constant(value: unknown): Source {
  return () => value;
}

/** The contributions of the app and of the modules to a many-token. */
function listOf(
  { values, contributors }: AssemblyPlan,
  token: Token<unknown>,
  createdOf: (module: AnyModule) => unknown,
): () => readonly unknown[] {
  const own = (values.get(token) ?? []) as readonly unknown[];
  const modules = contributors.get(token) ?? [];
  return () => [...own, ...modules.flatMap((module) => contributionsOf(module, createdOf(module), token))];
}

function getter(sources: ReadonlyMap<Token<unknown>, Source>): Construction['get'] {
  return <T>(token: Token<T>): T => {
    const source = sources.get(token);
    if (source !== undefined) return source() as T;
    throw new KubeletError(`no module of the assembly provides ${tokenId(token)}`, { code: 'not-found' });
  };
}

function manyTokensIn({ modules, values, contributors }: AssemblyPlan): readonly Token<unknown>[] {
  const needed = modules.flatMap(({ module }) => {
    const { requires, optional } = neededTokens(module);
    return [...requires, ...optional];
  });
  return [...new Set([...values.keys(), ...contributors.keys(), ...needed])].filter(takesMany);
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}
