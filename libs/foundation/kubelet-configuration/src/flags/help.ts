import type { KubeletConfiguration } from '../kubelet-configuration.js';
import type { FlagDefinition } from './flag-definition.js';
import { flagsOf, type ProgramFlags } from './program-flags.js';

/**
 * The text of `--help`, laid out as by Go's pflag; the program's own flags come first. `defaults` has the defaults of the
 * flags that set configuration fields.
 */
export function helpText(programFlags: ProgramFlags, defaults: KubeletConfiguration): string {
  const { program, ownFlags = [] } = programFlags;
  const names = new Set(ownFlags.map(({ name }) => name));
  const flags = flagsOf(programFlags);
  const own = flags.filter(({ name }) => names.has(name));
  const others = flags.filter(({ name }) => !names.has(name));
  return [
    `Usage:\n  ${program} [flags]\n`,
    ...(own.length === 0 ? [] : [`\nFlags of ${program} alone:\n${flagLines(own, defaults)}\n`]),
    `\nFlags:\n${flagLines(others, defaults)}\n`,
  ].join('');
}

function flagLines(flags: readonly FlagDefinition[], defaults: KubeletConfiguration): string {
  const names = flags.map(({ name, shorthand, kind }) => {
    const short = shorthand === undefined ? '   ' : `-${shorthand},`;
    return `  ${short} --${name}${kind.usage === '' ? '' : ` ${kind.usage}`}`;
  });
  const width = Math.max(...names.map(({ length }) => length)) + 3;
  const lines = flags.map((flag, index) => {
    const deprecated = flag.deprecated === undefined ? '' : ` (DEPRECATED: ${flag.deprecated})`;
    return `${(names[index] ?? '').padEnd(width)}${flag.help}${defaultText(flag, defaults)}${deprecated}`;
  });
  return lines.join('\n');
}

function defaultText(flag: FlagDefinition, defaults: KubeletConfiguration): string {
  const value = flag.field === undefined ? flag.default : valueAt(defaults, flag.field);
  const isEmpty = value === undefined || ['', '0', '0s', 'false'].includes(String(value as string | number | boolean));
  if (Array.isArray(value)) return value.length === 0 ? '' : ` (default [${value.join(',')}])`;
  if (isEmpty || typeof value === 'object') return '';
  return ` (default ${flag.kind.usage === 'string' ? JSON.stringify(value) : String(value as string | number | boolean)})`;
}

function valueAt(configuration: unknown, field: string): unknown {
  return field
    .split('.')
    .reduce<unknown>((value, key) => (value as Readonly<Record<string, unknown>> | undefined)?.[key], configuration);
}
