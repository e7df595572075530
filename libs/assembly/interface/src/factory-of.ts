import { decodeOptions } from './decode-options.js';
import type { Module, Provides } from './module.js';
import type { NeedMap, Needs } from './needs.js';

/** Constructs a module without an assembly. Throws `invalid-argument` that lists all wrong options. */
export type Factory<N extends NeedMap, C, I> =
  Partial<Needs<N>> extends Needs<N>
    ? (deps?: NoOthers<N>, options?: Partial<C>) => I
    : (deps: Needs<N>, options?: Partial<C>) => I;

// The type `{}` would accept anything, such as the options passed by mistake as the needs of a module that has none.
type NoOthers<N extends NeedMap> = keyof N extends never ? Readonly<Record<string, never>> : Needs<N>;

/**
 * The plain factory of a module: it decodes options as an assembly does, and the caller passes what the module needs.
 */
export function factoryOf<P extends Provides, N extends NeedMap, C, I>({
  name,
  config,
  create,
}: Module<P, N, C, I>): Factory<N, C, I> {
  const factory = (deps: Needs<N> | undefined, options?: Partial<C>): I =>
    create(
      deps ?? ({} as Needs<N>),
      config === undefined ? (undefined as C) : decodeOptions(shortName(name), config, options),
    );
  return factory as Factory<N, C, I>;
}

/** The name of a module without its scope, for messages and logs. */
export function shortName(name: string): string {
  return name.replace(/^@[^/]*\//, '');
}
