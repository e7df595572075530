import { allFlags, type KubeletConfiguration, type KubeletFlags } from '@podwright/kubelet-configuration';

/**
 * Every flag with its effective value, written as on a command line. For a flag that sets a configuration field, the
 * field's value.
 */
export function flagValues(flags: KubeletFlags, configuration: KubeletConfiguration): Readonly<Record<string, string>> {
  const own = flags as unknown as Readonly<Record<string, unknown>>;
  return Object.fromEntries(
    allFlags.map(({ name, field, default: fallback }) => {
      const value = field === undefined ? (own[propertyName(name)] ?? fallback) : fieldValue(configuration, field);
      return [name, flagText(value)];
    }),
  );
}

const propertyName = (flag: string): string => flag.replace(/-([a-z])/g, (_, letter: string) => letter.toUpperCase());

const fieldValue = (configuration: unknown, field: string): unknown =>
  field
    .split('.')
    .reduce<unknown>((value, key) => (value as Readonly<Record<string, unknown>> | undefined)?.[key], configuration);

// As pflag prints values: lists in brackets, maps as sorted pairs.
function flagText(value: unknown): string {
  if (value === undefined || value === null) return '';
  if (Array.isArray(value)) return `[${value.map(flagText).join(',')}]`;
  if (typeof value !== 'object') return String(value as string | number | boolean);
  return Object.entries(value)
    .map(([key, item]) => `${key}=${flagText(item)}`)
    .sort()
    .join(',');
}
