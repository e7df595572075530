import 'reflect-metadata';
import type { Token } from '@podwright/assembly-interface';

/** A class as a module registers it. */
export type AnyClass = new (...args: never[]) => unknown;

/** One constructor parameter: what stands for it, and whether it may be missing. */
export interface InjectedParameter {
  readonly token: Token<unknown> | AnyClass;
  readonly optional: boolean;
}

// Where tsyringe's @inject keeps its tokens. Each copy of tsyringe also has a map of its own, filled by @injectable, that
// other copies do not see; this metadata is on the class itself. reflect-metadata shares it between its copies.
const metadataKey = 'injectionTokens';

/**
 * Constructor parameters of a class from its `@inject` decorators, whichever copy of tsyringe they came from. A derived
 * class without tokens of its own has those of its base. Throws an Error that names class and parameter when one has no token.
 */
export function injectedParameters(implementation: AnyClass): readonly InjectedParameter[] {
  const tokens = (Reflect.getMetadata(metadataKey, implementation) ?? {}) as Readonly<Record<string, unknown>>;
  const count = Math.max(implementation.length, ...Object.keys(tokens).map((index) => Number(index) + 1));
  return Array.from({ length: count }, (_, index) => parameter(implementation, index, tokens[index]));
}

function parameter(implementation: AnyClass, index: number, found: unknown): InjectedParameter {
  if (isToken(found)) return { token: found, optional: false };
  const place = `${implementation.name}: constructor parameter ${index}`;
  if (typeof found === 'object' && found !== null) {
    const { token, isOptional, multiple, transform } = found as Readonly<Record<string, unknown>>;
    if (isToken(token) && multiple !== true && transform === undefined) return { token, optional: isOptional === true };
    throw new Error(`${place} uses injectAll or a transform, which an assembly does not support`);
  }
  throw new Error(`${place} has no @inject(TOKEN); decorate it or register the class with useFactory`);
}

function isToken(value: unknown): value is Token<unknown> | AnyClass {
  return typeof value === 'symbol' || typeof value === 'function';
}
