import type { Scalar } from 'yaml';

const longPrefix = 'tag:yaml.org,2002:';
/** A tag of these says what a text is; with any other, as with the tag for texts, it stays text. */
const checkedTags: readonly string[] = ['bool', 'int', 'float', 'null'];

const words = new Map<string, boolean | null | number>([
  ...['y', 'Y', 'yes', 'Yes', 'YES', 'true', 'True', 'TRUE', 'on', 'On', 'ON'].map((word) => [word, true] as const),
  ...['n', 'N', 'no', 'No', 'NO', 'false', 'False', 'FALSE', 'off', 'Off', 'OFF'].map((word) => [word, false] as const),
  ...['', '~', 'null', 'Null', 'NULL'].map((word) => [word, null] as const),
  ...['.nan', '.NaN', '.NAN'].map((word) => [word, Number.NaN] as const),
  ...['.inf', '.Inf', '.INF', '+.inf', '+.Inf', '+.INF'].map((word) => [word, Infinity] as const),
  ...['-.inf', '-.Inf', '-.INF'].map((word) => [word, -Infinity] as const),
]);

export type ScalarValue = null | boolean | number | bigint | string;

/**
 * What Go makes of a scalar: `yes` is a boolean, `0644` and `0o644` are octal, `1_000` is a number, timestamps and `12:30`
 * stay text. Quoted ones are text without a tag. Throws an Error for a text that is not what its tag says.
 * Source: go.yaml.in/yaml/v2 v2.4 resolve.go, which sigs.k8s.io/yaml uses.
 */
export function yamlScalar({ value, type, tag }: Pick<Scalar, 'value' | 'type' | 'tag'>): ScalarValue {
  const text = String(value);
  const name = tag?.startsWith(longPrefix) === true ? tag.slice(longPrefix.length) : undefined;
  if (name === 'binary') return binary(text);
  if (tag === undefined) return type === 'PLAIN' ? resolved(text) : text;
  if (name === undefined || !checkedTags.includes(name)) return text;
  const found = resolved(text);
  const kind = kindOf(found, text);
  if (kind === name) return found;
  if (kind === 'int' && name === 'float') return Number(found);
  throw new Error(`cannot decode !!${kind} \`${text}\` as a !!${name}`);
}

function resolved(text: string): ScalarValue {
  const word = words.get(text);
  if (word !== undefined) return word;
  if (!/^[-+.\d]/.test(text)) return text;
  if (text.startsWith('.')) return finite(text) ?? text;
  const plain = text.replaceAll('_', '');
  return integer(plain) ?? finite(plain) ?? text;
}

const prefixed = /^([-+]?)(0[xX][\da-fA-F]+|0[bB][01]+|0[oO][0-7]+|0[0-7]+|[1-9]\d*|0)$/;
const [leastInteger, mostInteger] = [-(2n ** 63n), 2n ** 64n - 1n];

/** Undefined for what is no integer of 64 bits. */
function integer(text: string): number | bigint | undefined {
  const [, sign = '', digits = ''] = prefixed.exec(text) ?? [];
  if (digits === '') return undefined;
  const magnitude = BigInt(/^0[0-7]/.test(digits) ? `0o${digits.slice(1)}` : digits.toLowerCase());
  const value = sign === '-' ? -magnitude : magnitude;
  // Go parses an unsigned number without a sign only.
  if (value < leastInteger || value > mostInteger || (sign === '+' && value >= 2n ** 63n)) return undefined;
  return Number.isSafeInteger(Number(value)) ? Number(value) : value;
}

/** Undefined for what is no number, or beyond those of 64 bits. */
function finite(text: string): number | undefined {
  if (!/^[-+]?(\.\d+|\d+(\.\d*)?)([eE][-+]?\d+)?$/.test(text)) return undefined;
  const number = Number(text);
  return Number.isFinite(number) ? number : undefined;
}

function kindOf(value: ScalarValue, text: string): string {
  if (value === null) return 'null';
  if (typeof value === 'string') return 'str';
  if (typeof value === 'boolean') return 'bool';
  return typeof value === 'bigint' || integer(text.replaceAll('_', '')) !== undefined ? 'int' : 'float';
}

function binary(text: string): string {
  const compact = text.replaceAll(/[\r\n]/g, '');
  const bytes = Buffer.from(compact, 'base64');
  if (compact.length % 4 !== 0 || !/^[A-Za-z0-9+/]*={0,2}$/.test(compact))
    throw new Error('!!binary value contains invalid base64 data');
  return bytes.toString();
}
