import { KubeletError, messageOf } from '@podwright/errors';
import type { FlagDefinition } from './flag-definition.js';
import { kubeletFlags, type KubeletFlags } from './kubelet-flags.js';
import { flagsOf, kubeletProgramFlags, type ProgramFlags } from './program-flags.js';

/** A parsed command line. */
export interface ParsedFlags {
  readonly flags: KubeletFlags;
  /** The values of the program's own flags, by name; without those that have no default and were not given. */
  readonly ownFlags: Readonly<Record<string, string>>;
  /** Values of the flags that set configuration fields, in the order of the command line: field path -> value. */
  readonly fields: ReadonlyMap<string, unknown>;
  readonly help: boolean;
  /** Every flag that was set, as `--name="value"`, for the log. */
  readonly set: readonly string[];
  /** One line for each deprecated flag that was set. */
  readonly warnings: readonly string[];
}

export interface ParseOptions {
  /**
   * Gets the line of a deprecated flag as soon as the flag is parsed, so also when the rest of the command line is
   * wrong: once for each occurrence, as pflag prints it. Then the result has no `warnings`.
   */
  readonly onDeprecated?: (line: string) => void;
}

/**
 * Parses a command line without the program's name: `--flag=value`, `--flag value`, `--boolean`, `-v 4`, `-v4`. `_` in
 * a name counts as `-`. Everything after `--` is positional.
 * @throws KubeletError `invalid-argument` in pflag's words, for an unknown flag, a bad value or a positional argument.
 */
export function parseKubeletFlags(
  argv: readonly string[],
  program: ProgramFlags = kubeletProgramFlags,
  options: ParseOptions = {},
): ParsedFlags {
  const known = flagsOf(program);
  const values = new Map<FlagDefinition, unknown>();
  const set: string[] = [];
  const warnings = new Set<string>();
  const { onDeprecated = (line: string) => void warnings.add(line) } = options;
  const positional: string[] = [];
  let rest = argv;
  while (rest.length > 0) {
    const [argument = '', ...following] = rest;
    rest = following;
    if (argument === '--') {
      positional.push(...rest);
      break;
    }
    if (!argument.startsWith('-') || argument === '-') {
      positional.push(argument);
      continue;
    }
    const { flag, label, text, more } = argument.startsWith('--')
      ? longFlag(argument, known)
      : shortFlag(argument, known);
    const value = text ?? flag.kind.bare ?? following[0];
    if (value === undefined) throw fault(`flag needs an argument: ${label}`);
    if (text === undefined && flag.kind.bare === undefined) rest = following.slice(1);
    if (more !== undefined) rest = [more, ...rest];
    values.set(flag, parseValue(flag, value, values.get(flag)));
    set.push(`--${flag.name}=${JSON.stringify(value)}`);
    if (flag.deprecated !== undefined) onDeprecated(`Flag --${flag.name} has been deprecated, ${flag.deprecated}`);
  }
  const [first] = positional;
  if (first !== undefined) throw new KubeletError(`unknown command ${first}`, { code: 'invalid-argument' });
  return { ...collect(values, program), set, warnings: [...warnings] };
}

interface Occurrence {
  readonly flag: FlagDefinition;
  /** The flag as on the command line. */
  readonly label: string;
  readonly text: string | undefined;
  /** What comes after a letter that needs no value, such as `-v4` of `-hv4`. */
  readonly more?: string;
}

function longFlag(argument: string, known: readonly FlagDefinition[]): Occurrence {
  const equals = argument.indexOf('=');
  const label = equals < 0 ? argument : argument.slice(0, equals);
  const name = label.slice(2);
  if (name === '' || name.startsWith('-')) throw fault(`bad flag syntax: ${argument}`);
  const flag = known.find((each) => each.name === name.replaceAll('_', '-'));
  if (flag === undefined) throw fault(`unknown flag: ${label}`);
  return { flag, label, text: equals < 0 ? undefined : argument.slice(equals + 1) };
}

function shortFlag(argument: string, known: readonly FlagDefinition[]): Occurrence {
  const letter = argument.charAt(1);
  const flag = known.find(({ shorthand }) => shorthand === letter);
  if (flag === undefined) throw fault(`unknown shorthand flag: '${letter}' in ${argument}`);
  const tail = argument.slice(2);
  const label = `'${letter}' in ${argument}`;
  const hasText = tail.length > 1 && tail.startsWith('=');
  if (flag.kind.bare !== undefined && tail !== '' && !hasText)
    return { flag, label, text: undefined, more: `-${tail}` };
  return { flag, label, text: tail === '' ? undefined : hasText ? tail.slice(1) : tail };
}

function parseValue(flag: FlagDefinition, value: string, previous: unknown): unknown {
  try {
    return flag.kind.parse(value, previous);
  } catch (error) {
    const name = flag.shorthand === undefined ? `--${flag.name}` : `-${flag.shorthand}, --${flag.name}`;
    throw fault(`invalid argument ${JSON.stringify(value)} for "${name}" flag: ${messageOf(error)}`, error);
  }
}

function fault(message: string, cause?: unknown): KubeletError {
  return new KubeletError(`failed to parse kubelet flag: ${message}`, { code: 'invalid-argument', cause });
}

function collect(
  values: ReadonlyMap<FlagDefinition, unknown>,
  { ownFlags = [], flagDefaults = {} }: ProgramFlags,
): Omit<ParsedFlags, 'set' | 'warnings'> {
  const given = new Map([...values].map(([{ name }, value]) => [name, value]));
  const all = kubeletFlags.map(
    ({ name, default: usual }) => [propertyName(name), given.get(name) ?? flagDefaults[name] ?? usual] as const,
  );
  const { help, ...flags } = Object.fromEntries(all) as unknown as KubeletFlags & { help: boolean };
  const fields = [...values].flatMap(([flag, value]) =>
    flag.field === undefined || value === undefined ? [] : [[flag.field, value] as const],
  );
  const own = ownFlags
    .map(({ name, default: usual }) => [name, given.get(name) ?? usual] as const)
    .filter(([, value]) => value !== undefined);
  return {
    flags,
    ownFlags: Object.fromEntries(own) as Record<string, string>,
    fields: new Map(fields),
    help,
  };
}

/** `root-dir` -> `rootDir` */
function propertyName(name: string): string {
  return name.replace(/-([a-z])/g, (_, letter: string) => letter.toUpperCase());
}
