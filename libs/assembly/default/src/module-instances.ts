import 'reflect-metadata';
import { LOGGER, tokenId } from '@podwright/assembly-interface';
import type { ModuleRegistration, Resolver, Token } from '@podwright/assembly-interface';
import { KubeletError, messageOf } from '@podwright/errors';
import type { Logger } from '@podwright/logging';
import { container as rootContainer, instanceCachingFactory } from 'tsyringe';
import type { DependencyContainer } from 'tsyringe';
import type { AssemblyPlan, PlannedModule } from './assembly-plan.js';
import type { AnyClass, InjectedParameter } from './injected-tokens.js';
import { isDeclared } from './module-registrations.js';

/** Constructed instances of one module that others may start and stop, needs first. */
export interface ModuleInstances {
  readonly name: string;
  readonly instances: readonly object[];
}

export interface Construction {
  readonly modules: readonly ModuleInstances[];
  /** Throws `not-found` for a token that nobody provides. */
  get<T>(token: Token<T>): T;
}

/**
 * Constructs a plan: one container for the tokens that modules share, and below it one per module for what it keeps to
 * itself, so that private tokens of two modules never meet. Throws with the module's name when a constructor throws.
 */
export function constructModules(plan: AssemblyPlan): Construction {
  const shared = rootContainer.createChildContainer();
  for (const [token, value] of plan.values) shared.registerInstance(token, value);
  const builders = plan.modules.map((planned) => new ModuleBuilder(planned, shared, plan));
  for (const builder of builders) builder.publish();
  const owned = new Set<unknown>(plan.values.values());
  const modules = builders.map((builder) => builder.build(owned));
  return {
    modules,
    get: (token) => {
      // Asked of the child alone: the root container is shared by everything in the process that uses tsyringe.
      if (shared.isRegistered(token)) return shared.resolve(token);
      throw new KubeletError(`no module of the assembly provides ${tokenId(token)}`, { code: 'not-found' });
    },
  };
}

class ModuleBuilder implements Resolver {
  private readonly own: DependencyContainer;
  private readonly underway: string[] = [];
  /** In order of completion, which is the order of need. */
  private readonly constructed: unknown[] = [];

  constructor(
    private readonly planned: PlannedModule,
    private readonly shared: DependencyContainer,
    private readonly plan: AssemblyPlan,
  ) {
    this.own = shared.createChildContainer();
  }

  /** Registers everything; the provided tokens also where other modules look. */
  publish(): void {
    const { module, registrations, config } = this.planned;
    if (module.config !== undefined) this.own.registerInstance(module.config.token, config);
    if (this.plan.values.has(LOGGER) && !registrations.tokens.has(LOGGER)) {
      const logger = this.plan.values.get(LOGGER) as Logger;
      this.own.registerInstance(LOGGER, logger.with({ logger: module.name.replace(/^@[^/]*\//, '') }));
    }
    for (const [implementation, parameters] of registrations.classes) {
      // Not registerSingleton: that needs the class to be decorated by this very copy of tsyringe.
      const useFactory = once(() =>
        this.track(implementation.name, () => this.instantiate(implementation, parameters)),
      );
      this.own.register<unknown>(implementation, { useFactory });
    }
    for (const [token, registration] of registrations.tokens) {
      this.own.register<unknown>(token, { useFactory: once(() => this.produce(token, registration)) });
    }
    for (const token of module.provides)
      this.shared.register<unknown>(token, { useFactory: () => this.own.resolve(token) });
  }

  /** Resolves what the module provides; `owned` are instances that belong to somebody else already. */
  build(owned: Set<unknown>): ModuleInstances {
    const { module } = this.planned;
    const provided = new Set(module.provides.map((token) => this.shared.resolve<unknown>(token)));
    const instances = [...provided].filter((instance) => typeof instance === 'object' && instance !== null) as object[];
    const fresh = instances.filter((instance) => !owned.has(instance));
    for (const instance of fresh) owned.add(instance);
    fresh.sort((a, b) => this.constructed.indexOf(a) - this.constructed.indexOf(b));
    return { name: module.name, instances: fresh };
  }

  /** What factories and constructors of this module see: its own registrations and what it has declared to need. */
  resolve<T>(token: Token<T> | (new (...args: never[]) => T)): T {
    const { module } = this.planned;
    if (this.own.isRegistered<unknown>(token)) return this.own.resolve<unknown>(token) as T;
    if (typeof token === 'symbol' && isDeclared(module, token) && this.shared.isRegistered(token)) {
      return this.shared.resolve(token);
    }
    const named = typeof token === 'symbol' ? tokenId(token) : `class ${token.name}`;
    const why =
      typeof token === 'symbol' && isDeclared(module, token) ? 'which nobody provides' : 'which it does not require';
    throw new KubeletError(`${module.name} asks for ${named}, ${why}`, { code: 'failed-precondition' });
  }

  private produce(token: Token<unknown>, registration: ModuleRegistration<unknown>): unknown {
    if ('useValue' in registration) return registration.useValue;
    if ('useToken' in registration) return this.resolve<unknown>(registration.useToken);
    return this.track(tokenId(token), () => registration.useFactory(this));
  }

  private instantiate(implementation: AnyClass, parameters: readonly InjectedParameter[]): unknown {
    const values = parameters.map(({ token, optional }) =>
      optional && !this.has(token) ? undefined : this.resolve(token),
    );
    return new (implementation as new (...args: unknown[]) => unknown)(...values);
  }

  private has(token: Token<unknown> | AnyClass): boolean {
    return this.own.isRegistered<unknown>(token) || (typeof token === 'symbol' && this.shared.isRegistered(token));
  }

  private track(what: string, construct: () => unknown): unknown {
    const { name } = this.planned.module;
    if (this.underway.includes(what)) {
      const path = [...this.underway.slice(this.underway.indexOf(what)), what].join(' -> ');
      throw new KubeletError(`${name}: its own parts need each other: ${path}`, { code: 'failed-precondition' });
    }
    this.underway.push(what);
    try {
      const instance = construct();
      if (instance instanceof Promise) throw new Error('returned a promise; construct at once and wait in start()');
      this.constructed.push(instance);
      return instance;
    } catch (error) {
      // Said once: the innermost module is the one to blame.
      if (error instanceof ConstructionError) throw error;
      throw new ConstructionError(`${name}: constructing ${what} failed: ${messageOf(error)}`, {
        code: KubeletError.from(error).code,
        cause: error,
      });
    } finally {
      this.underway.pop();
    }
  }
}

class ConstructionError extends KubeletError {}

function once(create: () => unknown): (container: DependencyContainer) => unknown {
  return instanceCachingFactory(create);
}
