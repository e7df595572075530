import { isIP } from 'node:net';
import { tryParseQuantity } from '@podwright/kube-types';
import { formatGoNanoseconds, parseGoNanoseconds } from '@podwright/time';
import { csvFields } from './csv-fields.js';
import { kubernetesVersion, parseReportedVersion } from './reported-version.js';

/** Parses the text of a flag into its value. Throws an Error in the words of Go's pflag and strconv. */
export interface FlagKind<T = unknown> {
  /** The type in the help text, after the flag's name; empty for a boolean. */
  readonly usage: string;
  /** The text of a flag without `=value`. Absent: the next argument is its value. */
  readonly bare?: string;
  /**
   * `previous` is the value from earlier occurrences of the flag on the command line. Undefined: this occurrence sets
   * nothing.
   */
  parse(text: string, previous: T | undefined): T | undefined;
  /** The value as Go's pflag shows it, if that is not its plain text. */
  show?(value: T): string;
}

export function kind<T>(usage: string, parse: FlagKind<T>['parse'], more: Partial<FlagKind<T>> = {}): FlagKind<T> {
  return { usage, parse, ...more };
}

export const pairTexts = (map: Readonly<Record<string, unknown>>, separator: string): string =>
  Object.entries(map)
    .map(([name, value]) => `${name}${separator}${String(value)}`)
    .sort()
    .join(',');

const trueTexts = ['1', 't', 'T', 'true', 'TRUE', 'True'];
const falseTexts = ['0', 'f', 'F', 'false', 'FALSE', 'False'];

/** Parses a boolean as Go's strconv.ParseBool, with its error texts. */
export function parseBool(text: string): boolean {
  if (trueTexts.includes(text)) return true;
  if (falseTexts.includes(text)) return false;
  throw new Error(`strconv.ParseBool: parsing ${JSON.stringify(text)}: invalid syntax`);
}

function parseInteger(text: string, bits: 32 | 64): number {
  const fault = (what: string): Error => new Error(`strconv.ParseInt: parsing ${JSON.stringify(text)}: ${what}`);
  // As an integer of a Go program: a leading zero means octal, and an underscore may stand between digits.
  if (!/^[-+]?(0|[1-9](_?\d)*|0(_?[0-7])+|0[xX](_?[\da-fA-F])+|0[oO](_?[0-7])+|0[bB](_?[01])+)$/.test(text))
    throw fault('invalid syntax');
  const digits = text.replace(/^[-+]/, '').replaceAll('_', '');
  const value = BigInt(/^0\d/.test(digits) ? `0o${digits.slice(1)}` : digits) * (text.startsWith('-') ? -1n : 1n);
  const limit = 2n ** BigInt(bits - 1);
  if (value < -limit || value >= limit || !Number.isSafeInteger(Number(value))) throw fault('value out of range');
  return Number(value);
}

function pairs(text: string, separator: string, expected: string): readonly (readonly [string, string])[] {
  return text
    .split(',')
    .filter((pair) => pair !== '')
    .map((pair) => {
      const at = pair.indexOf(separator);
      if (at < 0) throw new Error(`malformed pair, expect ${expected}`);
      return [pair.slice(0, at).trim(), pair.slice(at + 1).trim()] as const;
    });
}

function textMap(separator: string, usage: string): FlagKind<Readonly<Record<string, string>>> {
  return kind(
    usage,
    (text, previous) => ({
      ...previous,
      ...Object.fromEntries(pairs(text, separator, `string${separator}string`)),
    }),
    { show: (map) => pairTexts(map, separator) },
  );
}

export const text = kind<string>('string', (value) => value);
export const bool = kind<boolean>('', parseBool, { bare: 'true' });
/** As a boolean, `true` stands for the first mode, and `false` for none. */
export const mode = <const T extends string>(modes: readonly [T, ...T[]]): FlagKind<T | ''> =>
  kind<T | ''>(
    '',
    (value) => {
      const found = modes.find((each) => each === value);
      if (found !== undefined) return found;
      if (trueTexts.includes(value)) return modes[0];
      if (falseTexts.includes(value)) return '';
      throw new Error(`must be ${modes.join(' or ')}, not ${JSON.stringify(value)}`);
    },
    { bare: 'true' },
  );
export const int32 = kind<number>('int32', (value) => parseInteger(value, 32));
export const int64 = kind<number>('int', (value) => parseInteger(value, 64));
export const duration = kind<string>('duration', (value) => formatGoNanoseconds(parseGoNanoseconds(value)));

/** The kind of a flag that comes from Go's own package flag, which says of a wrong value no more than this. */
export function goFlag<T>(inner: FlagKind<T>): FlagKind<T> {
  return {
    ...inner,
    parse: (value, previous) => {
      try {
        return inner.parse(value, previous);
      } catch (cause) {
        const isOutOfRange = cause instanceof Error && cause.message.endsWith('value out of range');
        throw new Error(isOutOfRange ? 'value out of range' : 'parse error', { cause });
      }
    },
  };
}

/** A list of comma-separated values. The first occurrence replaces the default, later ones append. */
export const texts = kind<readonly string[]>(
  'strings',
  (value, previous) => [...(previous ?? []), ...(value === '' ? [] : csvFields(value))],
  { show: (list) => `[${list.join(',')}]` },
);

/** As upstream, an empty text sets nothing. */
export const ipAddress = kind<string>('ip', (value, previous) => {
  if (value === '') return previous;
  // Upstream still reads zeros at the front of a number; they make no octal number of it.
  const address = /^[\d.]+$/.test(value) ? value.replace(/\b0+(?=\d)/g, '') : value;
  if (isIP(address) === 0) throw new Error(`${JSON.stringify(value)} is not a valid IP address`);
  return address;
});

export const quantity = kind<string>('quantity', (value) => {
  if (tryParseQuantity(value) === undefined) {
    throw new Error("quantities must match the regular expression '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'");
  }
  return value;
});

/** `k=v,k=v` */
export const mapOfTexts = textMap('=', 'mapStringString');
/** `k=v`: one pair for each occurrence, whose value may have commas. */
export const mapOfOneText = kind<Readonly<Record<string, string>>>(
  'mapStringString',
  (value, previous) => {
    const at = value.indexOf('=');
    if (at < 0) throw new Error('malformed pair, expect string=string');
    return { ...previous, [value.slice(0, at).trim()]: value.slice(at + 1).trim() };
  },
  { show: (map) => pairTexts(map, '=') },
);
/** `signal<quantity,...` */
export const mapByLess = textMap('<', 'mapStringString');

/** `Gate=true,Other=false` */
export const gates = kind<Readonly<Record<string, boolean>>>(
  'mapStringBool',
  (value, previous) => {
    const entries = value
      .split(',')
      .filter((pair) => pair !== '')
      .map((pair) => {
        const at = pair.indexOf('=');
        if (at < 0) throw new Error('malformed pair, expect string=bool');
        const [name, setting] = [pair.slice(0, at).trim(), pair.slice(at + 1).trim()];
        try {
          return [name, parseBool(setting)] as const;
        } catch (error) {
          throw new Error(`invalid value of ${name}: ${setting}, err: ${(error as Error).message}`, { cause: error });
        }
      });
    return { ...previous, ...Object.fromEntries(entries) };
  },
  { show: (map) => pairTexts(map, '=') },
);

/** `a:hello,a:again,b:x`: several values per name. */
export const headers = kind<Readonly<Record<string, readonly string[]>>>(
  'colonSeparatedMultimapStringString',
  (value, previous) => {
    const result: Record<string, readonly string[]> = { ...previous };
    for (const [name, item] of pairs(value, ':', 'string:string')) result[name] = [...(result[name] ?? []), item];
    return result;
  },
  {
    show: (map) =>
      Object.keys(map)
        .sort()
        .flatMap((name) => (map[name] ?? []).map((item) => `${name}:${item}`))
        .join(','),
  },
);

/** Node labels, `key=value,key`. As in upstream's ConfigurationMap, a key without a value has an empty one. */
export const labels = kind<Readonly<Record<string, string>>>(
  'mapStringString',
  (value, previous) => {
    const entries = value
      .split(',')
      .filter((pair) => pair !== '')
      .map((pair) => {
        const at = pair.indexOf('=');
        return at < 0 ? [pair.trim(), ''] : [pair.slice(0, at).trim(), pair.slice(at + 1).trim()];
      });
    return { ...previous, ...(Object.fromEntries(entries) as Record<string, string>) };
  },
  { show: (map) => pairTexts(map, '=') },
);

/** `pattern=N,pattern=N` */
export const vmodule = kind<readonly { readonly filePattern: string; readonly verbosity: number }[]>(
  'pattern=N,...',
  (value, previous) => [
    ...(previous ?? []),
    ...value
      .split(',')
      .filter((item) => item !== '')
      .map((item) => {
        const [filePattern = '', level = '', ...more] = item.split('=');
        const quoted = JSON.stringify(item);
        if (filePattern === '' || level === '' || more.length > 0)
          throw new Error(`${quoted} does not have the pattern=N format`);
        try {
          return { filePattern, verbosity: parseLevel(level) };
        } catch (error) {
          throw new Error(`parsing verbosity in ${quoted}: ${(error as Error).message}`, { cause: error });
        }
      }),
  ],
  { show: (list) => list.map(({ filePattern, verbosity }) => `${filePattern}=${verbosity}`).join(',') },
);

function parseLevel(text: string): number {
  const fault = (what: string): Error => new Error(`strconv.ParseUint: parsing ${JSON.stringify(text)}: ${what}`);
  if (!/^\d+$/.test(text)) throw fault('invalid syntax');
  if (Number(text) >= 2 ** 31) throw fault('value out of range');
  return Number(text);
}

/** A verbosity. */
export const level = kind<number>('Level', parseLevel);

/** What `--version` asks for. */
export interface VersionChoice {
  readonly print: 'no' | 'short' | 'raw';
  /** The version to report, to whoever asks. */
  readonly reported: string;
}

/** `raw`, a version such as `v1.36.0`, or a boolean. A version stays the reported one when a boolean follows. */
export const version = kind<VersionChoice>(
  'version[=true]',
  (value, previous) => {
    const reported = previous?.reported ?? kubernetesVersion;
    if (value === 'raw') return { print: 'raw', reported };
    if (value.startsWith('v')) return { print: 'no', reported: parseReportedVersion(value) };
    return { print: parseBool(value) ? 'short' : 'no', reported };
  },
  { bare: 'true', show: ({ reported }) => (reported === kubernetesVersion ? 'false' : reported) },
);
