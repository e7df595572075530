import type { KubeletConfiguration } from '../kubelet-configuration.js';

/**
 * Applies the fields set by flags to the configuration. A flag's map or list replaces that of the file, but feature
 * gates are merged, and a gate on the command line wins; patterns of `--vmodule` come after those of the file.
 */
export function applyFlags(
  configuration: KubeletConfiguration,
  fields: ReadonlyMap<string, unknown>,
): KubeletConfiguration {
  let result: unknown = configuration;
  for (const [field, value] of fields) {
    result = withField(result, field.split('.'), united(configuration, field, value));
  }
  return result as KubeletConfiguration;
}

function united({ featureGates, logging }: KubeletConfiguration, field: string, value: unknown): unknown {
  if (field === 'featureGates') return { ...featureGates, ...(value as object) };
  return field === 'logging.vmodule' ? [...logging.vmodule, ...(value as typeof logging.vmodule)] : value;
}

function withField(value: unknown, [first, ...rest]: readonly string[], leaf: unknown): unknown {
  if (first === undefined) return leaf;
  const object = (value ?? {}) as Readonly<Record<string, unknown>>;
  return { ...object, [first]: withField(object[first], rest, leaf) };
}
