import { LOGGER, shortName, tokenId } from '@podwright/assembly-interface';
import type { Contribution, Decoration, Module, NeedMap, Provides, Token } from '@podwright/assembly-interface';
import { KubeletError, messageOf } from '@podwright/errors';
import type { Logger } from '@podwright/logging';
import type { DependencyContainer } from 'tsyringe';

/** Names the module whose `create` failed; the modules that need it pass the error on unchanged. */
class ConstructionError extends KubeletError {}

/** Gives what others get for a token: the instance of its provider, wrapped by the modules that decorate it. */
export type Decorated = (token: Token<unknown>, provided: () => unknown) => () => unknown;

/** Calls `create` at the first call and returns its result from then on. */
export function once<T>(create: () => T): () => T {
  let made: { readonly value: T } | undefined;
  return () => (made ??= { value: create() }).value;
}

/** Resolves the needs of one module and calls its `create` once, when the first of its tokens is resolved. */
export class ModuleBuilder {
  private created: { readonly value: unknown } | undefined;

  constructor(
    private readonly module: Module,
    private readonly config: unknown,
    private readonly shared: DependencyContainer,
  ) {}

  /** Registers the provided tokens, as others get them, in the container that all modules share. */
  publish(decorated: Decorated): void {
    for (const [role, token] of Object.entries<Token<unknown>>(this.module.provides)) {
      this.shared.register<unknown>(token, { useFactory: decorated(token, () => this.instanceOf(role, token)) });
    }
  }

  /** Constructs the module and returns its instances; those that others of the module need come first. */
  instances(): readonly unknown[] {
    const { provides } = this.module;
    if (Array.isArray(provides)) return [this.create()];
    return Object.entries(provides as Exclude<Provides, readonly unknown[]>).map(([role, token]) =>
      this.instanceOf(role, token),
    );
  }

  /** What the module makes of the instance of a token that it decorates. */
  decorate(token: Token<unknown>, inner: unknown): unknown {
    const { name, decorates = [] } = this.module;
    const created = this.create();
    return decorates
      .filter((decoration) => decoration.token === token)
      .reduce((wrapped, { wrap }: Decoration<unknown>) => {
        const outer = wrap(created, wrapped);
        if (outer !== undefined && outer !== null) return outer;
        throw new ConstructionError(`${name}: its decoration of ${tokenId(token)} returned nothing`, {
          code: 'failed-precondition',
        });
      }, inner);
  }

  /** Constructs the module at the first call; returns the result of its `create`. */
  create(): unknown {
    this.created ??= { value: this.construct() };
    return this.created.value;
  }

  private instanceOf(role: string, token: Token<unknown>): unknown {
    const created = this.create();
    const instance = Array.isArray(this.module.provides) ? created : (created as Record<string, unknown>)[role];
    if (instance !== undefined && instance !== null) return instance;
    throw new ConstructionError(`${this.module.name}: create returned nothing for ${tokenId(token)}`, {
      code: 'failed-precondition',
    });
  }

  private construct(): unknown {
    const { name, create } = this.module;
    const deps = this.resolveNeeds();
    try {
      const created = create(deps, this.config);
      if (created instanceof Promise)
        throw new Error('create returned a promise; construct at once and wait in start()');
      return created;
    } catch (error) {
      if (error instanceof ConstructionError) throw error;
      throw new ConstructionError(`${name}: constructing it failed: ${messageOf(error)}`, {
        code: KubeletError.from(error).code,
        cause: error,
      });
    }
  }

  private resolveNeeds(): Record<string, unknown> {
    const deps: Record<string, unknown> = {};
    for (const [name, need] of Object.entries((this.module.needs ?? {}) as NeedMap)) {
      const token = typeof need === 'symbol' ? need : need.optional;
      // An optional need that no module provides is absent, not undefined.
      if (typeof need === 'symbol' || this.shared.isRegistered(token)) deps[name] = this.resolve(token);
    }
    return deps;
  }

  private resolve(token: Token<unknown>): unknown {
    const instance = this.shared.resolve<unknown>(token);
    return token === LOGGER ? (instance as Logger).with({ logger: shortName(this.module.name) }) : instance;
  }
}

/** The contributions of a constructed module to a many-token. */
export function contributionsOf(module: Module, created: unknown, token: Token<unknown>): readonly unknown[] {
  const wanted = (module.contributes ?? []).filter((contribution) => contribution.token === token);
  return wanted.flatMap((contribution: Contribution<unknown>) => contributionOf(module, created, contribution));
}

function contributionOf(module: Module, created: unknown, { token, of }: Contribution<unknown>): readonly unknown[] {
  const fault = (problem: string, cause?: unknown): ConstructionError =>
    new ConstructionError(`${module.name}: its contribution to ${tokenId(token)} ${problem}`, {
      code: 'failed-precondition',
      ...(cause !== undefined && { cause }),
    });
  let brought: unknown;
  try {
    brought = of(created);
  } catch (error) {
    throw fault(`failed: ${messageOf(error)}`, error);
  }
  // A module from outside may be plain JavaScript.
  if (!Array.isArray(brought)) throw fault('is no list');
  if (brought.some((one) => one === undefined || one === null)) throw fault('has an empty element');
  return brought;
}
