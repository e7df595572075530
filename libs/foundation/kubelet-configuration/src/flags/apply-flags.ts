import type { KubeletConfiguration } from '../kubelet-configuration.js';

/**
 * The configuration with the fields of the command line on top. A map or list on the command line replaces the one of
 * the file, except the feature gates, which are united, a gate of the command line winning.
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
