import { flagsOf, type LoadedKubelet, type ProgramFlags } from '@podwright/kubelet-configuration';

/** The values of a program's flags; `commandLine` is the configuration that the flags alone make. */
export type GivenFlags = Pick<LoadedKubelet, 'flags' | 'ownFlags' | 'commandLine'>;

/**
 * Every flag of a program with its value or default, as Go's pflag shows it. As upstream, a configuration file changes
 * nothing here.
 */
export function flagValues(
  program: ProgramFlags,
  { flags, ownFlags, commandLine }: GivenFlags,
): Readonly<Record<string, string>> {
  const properties = flags as unknown as Readonly<Record<string, unknown>>;
  return Object.fromEntries(
    flagsOf(program).map(({ name, kind, field, default: fallback }) => {
      const own = ownFlags[name] ?? properties[propertyName(name)] ?? fallback;
      const value = field === undefined ? own : fieldValue(commandLine, field);
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
