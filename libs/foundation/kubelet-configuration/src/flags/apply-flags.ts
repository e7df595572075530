import type { KubeletConfiguration } from '../kubelet-configuration.js';

/**
 * Applies the fields set by flags to the configuration. A flag's map or list replaces that of the file, but feature
 * gates are merged, and a gate on the command line wins.
 */
export function applyFlags(
  configuration: KubeletConfiguration,
  fields: ReadonlyMap<string, unknown>,
): KubeletConfiguration {
  let result: unknown = configuration;
  for (const [field, value] of fields) {
    const united = field === 'featureGates' ? { ...configuration.featureGates, ...(value as object) } : value;
    result = withField(result, field.split('.'), united);
  }
  return result as KubeletConfiguration;
}

function withField(value: unknown, [first, ...rest]: readonly string[], leaf: unknown): unknown {
  if (first === undefined) return leaf;
  const object = (value ?? {}) as Readonly<Record<string, unknown>>;
  return { ...object, [first]: withField(object[first], rest, leaf) };
}
