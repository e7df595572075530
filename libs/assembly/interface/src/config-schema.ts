import type { Token } from './token.js';

/** One wrong option: `field` is its path below the module's options, `problem` says what would be right. */
export interface FieldFault {
  readonly field: string;
  readonly value: unknown;
  readonly problem: string;
  /** Names of the options there are, when `field` is none of them. */
  readonly known?: readonly string[];
}

export type ConfigResult<C> =
  { readonly ok: true; readonly value: C } | { readonly ok: false; readonly faults: readonly FieldFault[] };

/** How the options of one module are decoded. The decoded value is what `token` resolves to. */
export interface ConfigSchema<C> {
  readonly token: Token<C>;
  /** Strict: an unknown key is a fault. `undefined` stands for no options. Returns all faults together. */
  decode(input: unknown): ConfigResult<C>;
}

/** Decodes one option. Called with `undefined` when the option is absent, so that it can give the default. */
export interface ConfigField<T> {
  decode(value: unknown, field: string): ConfigResult<T>;
}

/** Makes a strict schema from one decoder per option. `check` sees the whole when each field is right. */
export function defineConfig<C extends object>(
  token: Token<C>,
  fields: { readonly [K in keyof C]-?: ConfigField<C[K]> },
  check: (config: C) => readonly FieldFault[] = () => [],
): ConfigSchema<C> {
  return {
    token,
    decode: (input) => {
      if (input !== undefined && (typeof input !== 'object' || input === null || Array.isArray(input))) {
        return { ok: false, faults: [{ field: '', value: input, problem: 'must be an object of options' }] };
      }
      const given = (input ?? {}) as Record<string, unknown>;
      const known = Object.keys(fields);
      const faults: FieldFault[] = Object.keys(given)
        .filter((key) => !Object.hasOwn(fields, key))
        .map((key) => ({
          field: key,
          value: given[key],
          problem: `is unknown; known are ${known.join(', ') || 'none'}`,
          known,
        }));
      const value: Record<string, unknown> = {};
      for (const [key, decoder] of Object.entries<ConfigField<unknown>>(fields)) {
        const result = decoder.decode(given[key], key);
        if (result.ok) value[key] = result.value;
        else faults.push(...result.faults);
      }
      if (faults.length === 0) faults.push(...check(value as C));
      return faults.length === 0 ? { ok: true, value: value as C } : { ok: false, faults };
    },
  };
}
