import type { AnyModule, AssemblyFault, FieldFault } from '@podwright/assembly-interface';
import { messageOf } from '@podwright/errors';

export interface DecodedConfig {
  /** Decoded options; undefined for a module without a schema or with faults. */
  readonly value: unknown;
  readonly faults: readonly AssemblyFault[];
}

/** Decodes the options of one module with its schema. A fault names module, field, value and what is allowed. */
export function decodeModuleConfig(
  module: AnyModule,
  options: Readonly<Record<string, unknown>> | undefined,
): DecodedConfig {
  const fault = ({ field, value, problem, known }: FieldFault): AssemblyFault => ({
    kind: 'bad-config',
    module: module.name,
    field,
    value,
    message:
      known === undefined
        ? `${module.name}: option ${field === '' ? '' : `${field} `}${problem}, found ${shown(value)}`
        : `${module.name}: unknown option ${field}; ${known.length === 0 ? 'the module has no options' : `known are ${known.join(', ')}`}`,
  });
  if (module.config === undefined) {
    const given = Object.entries(options ?? {});
    return {
      value: undefined,
      faults: given.map(([field, value]) => fault({ field, value, problem: 'is unknown', known: [] })),
    };
  }
  try {
    const result = module.config.decode(options);
    if (result.ok) return { value: result.value, faults: [] };
    return { value: undefined, faults: result.faults.map(fault) };
  } catch (error) {
    return {
      value: undefined,
      faults: [fault({ field: '', value: options, problem: `could not be decoded (${messageOf(error)})` })],
    };
  }
}

function shown(value: unknown): string {
  if (value === undefined) return 'nothing';
  const text = JSON.stringify(value) ?? String(value);
  return text.length <= 200 ? text : `${text.slice(0, 200)}...`;
}
