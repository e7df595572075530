import type { RoleOf, Token } from './token.js';

/** A need that no module has to provide; see {@link optional}. */
export interface OptionalNeed<T> {
  readonly optional: Token<T>;
}

/** What a module needs: tokens by the property name in {@link Needs}. */
export type NeedMap = Readonly<Record<string, Token<unknown> | OptionalNeed<unknown>>>;

type OptionalKeys<N> = { [K in keyof N]: N[K] extends OptionalNeed<unknown> ? K : never }[keyof N];

/** The instances for a {@link NeedMap}, the first argument of a module's class. An optional need may be absent. */
export type Needs<N extends NeedMap> = {
  readonly [K in Exclude<keyof N, OptionalKeys<N>>]: RoleOf<N[K]>;
} & {
  readonly [K in OptionalKeys<N>]?: N[K] extends OptionalNeed<infer T> ? T | undefined : never;
};

/** Declares the needs of a module; returns them unchanged, with their exact types. */
export function needs<const N extends NeedMap>(map: N): N {
  return map;
}

/** Makes a need optional: a missing provider is no fault. A provider still starts before the module that needs it. */
export function optional<T>(token: Token<T>): OptionalNeed<T> {
  return { optional: token };
}

/**
 * Narrows a need to the members that the module uses, so that a test or a plain factory has to pass less. Returns the
 * same token.
 */
export function pick<T, K extends keyof T>(token: Token<T>, ...members: readonly [K, ...K[]]): Token<Pick<T, K>> {
  // The names only matter to the compiler and the reader.
  void members;
  return token as symbol;
}

interface NeededTokens {
  readonly requires: readonly Token<unknown>[];
  readonly optional: readonly Token<unknown>[];
}

const none: NeedMap = {};
// A need map is a constant of its module, which is asked about many times for each assembly.
const known = new WeakMap<NeedMap, NeededTokens>();

/** The required and the optional tokens of a need map. */
export function tokensOf(map: NeedMap = none): {
  readonly requires: readonly Token<unknown>[];
  readonly optional: readonly Token<unknown>[];
} {
  const found = known.get(map);
  if (found !== undefined) return found;
  const all = Object.values(map);
  const tokens: NeededTokens = {
    requires: all.filter((need) => typeof need === 'symbol'),
    optional: all.flatMap((need) => (typeof need === 'symbol' ? [] : [need.optional])),
  };
  known.set(map, tokens);
  return tokens;
}
