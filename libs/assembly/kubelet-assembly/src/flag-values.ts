import { allFlags, type KubeletConfiguration, type KubeletFlags } from '@podwright/kubelet-configuration';

/**
 * Every flag with its value or default, as Go's pflag shows it. `commandLine`: the configuration that the flags alone
 * make. As upstream, a configuration file changes nothing here.
 */
export function flagValues(flags: KubeletFlags, commandLine: KubeletConfiguration): Readonly<Record<string, string>> {
  const own = flags as unknown as Readonly<Record<string, unknown>>;
  return Object.fromEntries(
    allFlags.map(({ name, kind, field, default: fallback }) => {
      const value = field === undefined ? (own[propertyName(name)] ?? fallback) : fieldValue(commandLine, field);
      const isEmpty = value === undefined || value === null;
      return [name, isEmpty ? '' : (kind.show?.(value) ?? String(value as string | number | boolean))];
    }),
  );
}

const propertyName = (flag: string): string => flag.replace(/-([a-z])/g, (_, letter: string) => letter.toUpperCase());

const fieldValue = (configuration: unknown, field: string): unknown =>
  field
    .split('.')
    .reduce<unknown>((value, key) => (value as Readonly<Record<string, unknown>> | undefined)?.[key], configuration);
