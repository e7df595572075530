/** One wrong option: `field` is its path in the module's options, `problem` says what is allowed (`must be ...`). */
export interface FieldFault {
  readonly field: string;
  readonly value: unknown;
  readonly problem: string;
  /** The names of all options, when `field` is unknown. */
  readonly known?: readonly string[];
}

export type ConfigResult<C> =
  | { readonly ok: true; readonly value: C }
  | { readonly ok: false; readonly faults: readonly FieldFault[] };

/** Decodes the options of one module. The result is the second argument of the module's `create`. */
export interface ConfigSchema<C> {
  /** Decodes strictly: an unknown key is a fault. `undefined` means no options. Returns all faults together. */
  decode(input: unknown): ConfigResult<C>;
}

/** Decodes one option. `value` is `undefined` when the option is absent; return the default then. */
export interface ConfigField<T> {
  decode(value: unknown, field: string): ConfigResult<T>;
}

/** One decoder for each option. */
export type ConfigFields<C> = { readonly [K in keyof C]-?: ConfigField<C[K]> };

/**
 * Makes a strict schema from one decoder per option. `check` may find faults in the whole once every option is valid.
 */
export function defineConfig<C extends object>(
  fields: ConfigFields<C>,
  check: (config: C) => readonly FieldFault[] = () => [],
): ConfigSchema<C> {
  return {
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
