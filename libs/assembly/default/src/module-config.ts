import type { AnyModule, AssemblyFault } from '@podwright/assembly-interface';
import { messageOf } from '@podwright/errors';

export interface DecodedConfig {
  /** Decoded options; undefined for a module without a schema or with faults. */
  readonly value: unknown;
  readonly faults: readonly AssemblyFault[];
}

/** Decodes the options of one module with its own schema. A fault names module, field, value and what would be right. */
export function decodeModuleConfig(
  module: AnyModule,
  options: Readonly<Record<string, unknown>> | undefined,
): DecodedConfig {
  const fault = (field: string, value: unknown, problem: string): AssemblyFault => ({
    kind: 'bad-config',
    module: module.name,
    field,
    value,
    message: `${module.name}: option ${field === '' ? '' : `${field} `}${problem}, found ${shown(value)}`,
  });
  if (module.config === undefined) {
    const given = Object.keys(options ?? {});
    return {
      value: undefined,
      faults: given.map((key) => fault(key, options?.[key], 'is unknown: the module has no options')),
    };
  }
  try {
    const result = module.config.decode(options);
    if (result.ok) return { value: result.value, faults: [] };
    return { value: undefined, faults: result.faults.map(({ field, value, problem }) => fault(field, value, problem)) };
  } catch (error) {
    return { value: undefined, faults: [fault('', options, `could not be decoded (${messageOf(error)})`)] };
  }
}

function shown(value: unknown): string {
  if (value === undefined) return 'nothing';
  const text = JSON.stringify(value) ?? String(value);
  return text.length <= 200 ? text : `${text.slice(0, 200)}...`;
}
