import 'reflect-metadata';
import { neededTokens, takesMany, tokenId } from '@podwright/assembly-interface';
import type { Token } from '@podwright/assembly-interface';
import { KubeletError } from '@podwright/errors';
import { container as rootContainer } from 'tsyringe';
import type { AssemblyPlan } from './assembly-plan.js';
import { ModuleBuilder, publishMany } from './module-builder.js';

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

/**
 * Constructs the modules of a plan in one container. When a `create` throws, the error names the module. It does not
 * use tsyringe's root container, which everything in the process shares.
 */
export function constructModules(plan: AssemblyPlan): Construction {
  const shared = rootContainer.createChildContainer();
  for (const [token, value] of plan.values) if (!takesMany(token)) shared.registerInstance(token, value);
  const builders = new Map(
    plan.modules.map(({ module, config }) => [module, new ModuleBuilder(module, config, shared)]),
  );
  for (const builder of builders.values()) builder.publish();
  publishMany(shared, tokensIn(plan), (token) => [
    ...((plan.values.get(token) ?? []) as readonly unknown[]),
    ...(plan.contributors.get(token) ?? []).flatMap((module) => builders.get(module)?.contributionsTo(token) ?? []),
  ]);
  const owned = new Set<unknown>(plan.values.values());
  const modules = [...builders].map(([{ name }, builder]) => {
    const fresh = new Set(builder.instances().filter((instance) => isObject(instance) && !owned.has(instance)));
    for (const instance of fresh) owned.add(instance);
    return { name, instances: [...fresh] as object[] };
  });
  return {
    modules,
    get: (token) => {
      if (shared.isRegistered(token)) return shared.resolve(token);
      throw new KubeletError(`no module of the assembly provides ${tokenId(token)}`, { code: 'not-found' });
    },
  };
}

function tokensIn({ modules, values, contributors }: AssemblyPlan): Set<Token<unknown>> {
  const needed = modules.flatMap(({ module }) => {
    const { requires, optional } = neededTokens(module);
    return [...requires, ...optional];
  });
  return new Set([...values.keys(), ...contributors.keys(), ...needed]);
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}
