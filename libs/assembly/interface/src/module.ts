import type { ConfigSchema } from './config-schema.js';
import { tokensOf, type NeedMap, type Needs } from './needs.js';
import type { ManyToken, RoleOf, Token } from './token.js';

/** The tokens that a module provides: a list when one instance plays all roles, a record when each role has its own. */
export type Provides = readonly Token<unknown>[] | Readonly<Record<string, Token<unknown>>>;

/** The return type of `create` for {@link Provides}: one instance for a list, a record of instances for a record. */
export type Provided<P extends Provides> = P extends readonly unknown[]
  ? AllRoles<P>
  : { readonly [K in keyof P]: RoleOf<P[K]> };

// Not an intersection over the union of the tokens: that would split a role whose type is a union.
type AllRoles<P extends readonly unknown[]> = P extends readonly [infer First, ...infer Rest]
  ? RoleOf<First> & AllRoles<Rest>
  : unknown;

/** A module's contribution to a {@link ManyToken}; made by {@link contribution}. */
export interface Contribution<I> {
  readonly token: ManyToken<unknown>;
  /** Called once, with the result of `create`. */
  readonly of: (instance: I) => readonly unknown[];
}

/** A module's wrapper around what others get for a {@link Token}; made by {@link decoration}. */
export interface Decoration<I> {
  readonly token: Token<unknown>;
  /** Called once, with the result of `create` and what the provider, or the decorator before, gives for the token. */
  readonly wrap: (instance: I, inner: unknown) => unknown;
}

/** One replaceable part of an assembly: what it provides and needs, and how to construct it. Data, no side effects. */
export interface Module<P extends Provides = Provides, N extends NeedMap = NeedMap, C = unknown, I = unknown> {
  /** The npm name of the package (with `#part` when a package has several modules). Unique in an assembly. */
  readonly name: string;
  readonly provides: P;
  readonly needs?: N;
  readonly config?: ConfigSchema<C>;
  /**
   * The optional needs that these options make required, by their property names, each with what asks for it, such as
   * `--console-address`. Without a provider the assembly is faulty then.
   */
  readonly requiredBy?: (config: C) => { readonly [K in keyof N]?: string };
  /** Constructs the module, synchronously and without side effects; runs once per assembly. `config` is decoded. */
  readonly create: (deps: Needs<N>, config: C) => I;
  readonly contributes?: readonly Contribution<NoInfer<I>>[];
  /**
   * What it wraps, in the order of the module list. It must not need these tokens. Only the provider's own instance is
   * started and stopped. A token that nobody provides stays without.
   */
  readonly decorates?: readonly Decoration<NoInfer<I>>[];
}

/** A module of any types. */
// oxlint-disable-next-line typescript/no-explicit-any -- a list of modules mixes types that only the module itself uses
export type AnyModule = Module<any, any, any, any>;

/** Returns the module unchanged; the compiler checks that `create` returns the roles in `provides`. */
export function defineModule<
  const P extends Provides,
  const N extends NeedMap = Readonly<Record<never, never>>,
  C = undefined,
  I extends Provided<P> = Provided<P>,
>(module: Module<P, N, C, I>): Module<P, N, C, I> {
  return module;
}

/** Makes a module's contribution to a {@link ManyToken}, such as routes of the server. */
export function contribution<T, I>(token: ManyToken<T>, of: (instance: I) => readonly T[]): Contribution<I> {
  return { token, of };
}

/**
 * Makes a module stand between a token's provider and all who need the token, such as a recorder of calls. It knows
 * neither of them, and without it there is nothing in between.
 */
export function decoration<T, I>(token: Token<T>, wrap: (instance: I, inner: RoleOf<Token<T>>) => T): Decoration<I> {
  return { token, wrap: wrap as (instance: I, inner: unknown) => unknown };
}

/** The tokens that a module provides. */
export function providedTokens({ provides }: Pick<AnyModule, 'provides'>): readonly Token<unknown>[] {
  return Object.values(provides as Provides);
}

/** The tokens that a module needs. */
export function neededTokens(module: AnyModule): ReturnType<typeof tokensOf> {
  return tokensOf(module.needs as NeedMap | undefined);
}

/** The tokens that a module contributes to. */
export function contributedTokens(module: AnyModule): readonly Token<unknown>[] {
  return (module.contributes ?? []).map(({ token }) => token);
}

/** The tokens that a module decorates. */
export function decoratedTokens(module: AnyModule): readonly Token<unknown>[] {
  return (module.decorates ?? []).map(({ token }) => token);
}
