import type { ConfigSchema } from './config-schema.js';
import type { Token } from './token.js';

type Constructor<T> = new (...args: never[]) => T;

/** Where a module asks for another role inside a factory. */
export interface Resolver {
  resolve<T>(token: Token<T>): T;
}

export type ModuleRegistration<T> =
  | { readonly useToken: Constructor<T> | Token<T> }
  | { readonly useValue: T }
  | { readonly useFactory: (resolver: Resolver) => T };

/** The part of a DI container that a module may touch, in the shape of tsyringe. Made once per assembly. */
export interface ModuleContainer {
  /** One instance of the class for the whole assembly, its constructor parameters taken from their `@inject` tokens. */
  registerSingleton<T>(implementation: Constructor<T>): void;
  /** Lets `token` name something else. With `useFactory` the factory runs once. */
  register<T>(token: Token<T>, registration: ModuleRegistration<T>): void;
}

/** One exchangeable part of an assembly: what it gives, what it needs, how it registers. Data, no side effects. */
export interface Module<C = unknown> {
  /** The npm name of the package (with `#part` when a package has several modules). Unique in an assembly. */
  readonly name: string;
  readonly provides: readonly Token<unknown>[];
  /** Every token that the registered classes inject, apart from their own config token. */
  readonly requires: readonly Token<unknown>[];
  /** Tokens that are used when somebody provides them. They order the start, their absence is no fault. */
  readonly optional?: readonly Token<unknown>[];
  readonly config?: ConfigSchema<C>;
  readonly register: (container: ModuleContainer) => void;
}

/** A module whatever its options are. */
// eslint-disable-next-line @typescript-eslint/no-explicit-any -- a list of modules mixes option types; only the schema itself uses C
export type AnyModule = Module<any>;

/** Types a module; returns it unchanged. */
export function defineModule<C>(module: Module<C>): Module<C> {
  return module;
}
