import type { ConfigSchema } from './config-schema.js';

/** Options of one module, by its name. */
export type ConfiguredModule = readonly [name: string, options: Readonly<Record<string, unknown>>];

/**
 * Options of a module before decoding. An option that allows only some words is any string here; the schema checks it.
 */
export type OptionsOf<C> = { readonly [K in keyof C]?: C[K] extends string ? string : C[K] };

/** Makes the entry that sets a module's options; the compiler checks their names and types. */
export function configure<C>(
  module: { readonly name: string; readonly config?: ConfigSchema<C> },
  options: NoInfer<OptionsOf<C>>,
): ConfiguredModule {
  return [module.name, options as Readonly<Record<string, unknown>>];
}
