import type { KubeletConfiguration } from '../kubelet-configuration.js';
import type { FlagDefinition } from './flag-definition.js';
import { allFlags } from './parse-flags.js';

/** The text of `--help`. `defaults` has the defaults of the flags that set configuration fields. */
export function helpText(program: string, defaults: KubeletConfiguration): string {
  const lines = allFlags.map((flag) => {
    const short = flag.shorthand === undefined || flag.shorthand === flag.name ? '' : `-${flag.shorthand}, `;
    const name = `${short}--${flag.name}${flag.kind.usage === '' ? '' : ` ${flag.kind.usage}`}`;
    const deprecated = flag.deprecated === undefined ? '' : ` (DEPRECATED: ${flag.deprecated})`;
    return `  ${name.padEnd(58)} ${flag.help}${defaultText(flag, defaults)}${deprecated}`;
  });
  return `Usage:\n  ${program} [flags]\n\nFlags:\n${lines.join('\n')}\n`;
}

function defaultText(flag: FlagDefinition, defaults: KubeletConfiguration): string {
  const value = flag.field === undefined ? flag.default : valueAt(defaults, flag.field);
  const isEmpty = value === undefined || value === '' || value === false || value === 'false';
  if (isEmpty || (typeof value === 'object' && Object.keys(value ?? {}).length === 0)) return '';
  return ` (default ${JSON.stringify(value)})`;
}

function valueAt(configuration: unknown, field: string): unknown {
  return field
    .split('.')
    .reduce<unknown>((value, key) => (value as Readonly<Record<string, unknown>> | undefined)?.[key], configuration);
}
