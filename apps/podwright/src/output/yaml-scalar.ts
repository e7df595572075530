/** Where a scalar stands: the column of its first character, and the indentation of its further lines. */
export interface ScalarPlace {
  readonly column: number;
  readonly indent: number;
}

/**
 * A scalar as Go's YAML writer prints it: plain where a reader gets the text back, else in quotes or as a block. A key
 * has no place: it stays on one line. Source: go.yaml.in/yaml/v2 encode.go, emitterc.go.
 */
export function yamlScalar(value: unknown, place?: ScalarPlace): string {
  if (typeof value !== 'string') return value === undefined ? 'null' : JSON.stringify(value);
  const shape = analyse(value);
  if (value.includes('\n') && place !== undefined && shape.block) return block(value, place.indent);
  if (value.includes('\n') || readsAsOther(value)) return doubleQuoted(value, place);
  if (shape.plain) return folded([...value], value, place);
  if (!shape.single) return doubleQuoted(value, place);
  return `'${folded([...value.replaceAll("'", "''")], value, place && { ...place, column: place.column + 1 }, true)}'`;
}

const words =
  /^(|~|null|Null|NULL|[yYnN]|yes|Yes|YES|no|No|NO|true|True|TRUE|false|False|FALSE|on|On|ON|off|Off|OFF|[-+]?\.(inf|Inf|INF)|\.(nan|NaN|NAN))$/;
const integers = /^[-+]?(0[xX][\dA-Fa-f]+|0[oO]?[0-7]+|0[bB][01]+|0|[1-9]\d*)$/;
const floats = /^[-+]?(\.\d+|\d+(\.\d*)?)([eE][-+]?\d+)?$/;
const sexagesimals = /^[-+]?\d[\d_]*(:[0-5]?\d)+(\.[\d_]*)?$/;
const times = /^\d{4}-\d{1,2}-\d{1,2}([Tt ]\d{1,2}:\d{1,2}:\d{1,2}(\.\d+)?(Z|[-+]\d\d:\d\d)?)?$/;

/** Whether a reader of YAML 1.1 takes the plain text for a number, a boolean, a time or null. */
function readsAsOther(text: string): boolean {
  if (words.test(text) || times.test(text) || sexagesimals.test(text)) return true;
  const digits = /^[-+.\d]/.test(text) ? text.replaceAll('_', '') : text;
  return integers.test(digits) || floats.test(digits);
}

interface Shape {
  readonly plain: boolean;
  readonly single: boolean;
  readonly block: boolean;
}

/** Which styles can hold the text. */
function analyse(text: string): Shape {
  if (text === '') return { plain: true, single: true, block: false };
  const isSpecial = unprintable.test(text) || text.includes(' \n');
  if (isSpecial) return { plain: false, single: false, block: false };
  const hasIndicator =
    /^(---|\.\.\.)/.test(text) ||
    /^[#,[\]{}&*!|>'"%@`]/.test(text) ||
    /^[?:-](\s|$)/.test(text) ||
    /:(\s|$)|\s#/.test(text);
  const hasEdge = /^[ \n]|[ \n]$/.test(text);
  return {
    plain: !hasIndicator && !hasEdge && !text.includes('\n'),
    single: !text.includes('\n '),
    block: !text.endsWith(' '),
  };
}

// A tab, a carriage return and what lies beyond the basic plane are escaped too.
const unprintable = /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\ud800-\udfff\ufeff\ufffe\uffff]/;

function block(text: string, indent: number): string {
  const hint = /^[ \n]/.test(text) ? '2' : '';
  const chomp = !text.endsWith('\n') ? '-' : text === '\n' || text.endsWith('\n\n') ? '+' : '';
  const body = text.endsWith('\n') ? text.slice(0, -1) : text;
  const lines = body.split('\n').map((line) => (line === '' ? '' : ' '.repeat(indent) + line));
  return `|${hint}${chomp}\n${lines.join('\n')}`;
}

// oxfmt-ignore
const named: Readonly<Record<string, string>> = {
  '\0': '0', '\u0007': 'a', '\b': 'b', '\t': 't', '\n': 'n', '\v': 'v', '\f': 'f', '\r': 'r', '\u001b': 'e',
  '"': '"', '\\': '\\', '\u0085': 'N', '\u2028': 'L', '\u2029': 'P',
};

function doubleQuoted(text: string, place?: ScalarPlace): string {
  const escaped = [...text].map((char) => {
    const short = named[char];
    if (short !== undefined) return `\\${short}`;
    if (!unprintable.test(char)) return char;
    const code = char.codePointAt(0) ?? 0;
    const hex = code.toString(16).toUpperCase();
    if (code <= 0xff) return `\\x${hex.padStart(2, '0')}`;
    return code <= 0xffff ? `\\u${hex.padStart(4, '0')}` : `\\U${hex.padStart(8, '0')}`;
  });
  return `"${folded(escaped, text, place && { ...place, column: place.column + 1 }, true, '\\')}"`;
}

const width = 80;

/**
 * Breaks a text at the first space beyond the width, as the writer does: not between two spaces, and in quotes not at
 * an edge. `beforeSpace` protects a space that would start a line.
 */
function folded(
  pieces: readonly string[],
  text: string,
  place: ScalarPlace | undefined,
  quoted = false,
  beforeSpace = '',
): string {
  if (place === undefined || place.column + text.length <= width) return pieces.join('');
  let line = place.column;
  let result = '';
  for (const [at, piece] of pieces.entries()) {
    const isEdge = quoted && (at === 0 || at === pieces.length - 1);
    const next = pieces[at + 1];
    if (piece === ' ' && pieces[at - 1] !== ' ' && line > width && !isEdge && (next !== ' ' || beforeSpace !== '')) {
      result += `\n${' '.repeat(place.indent)}${next === ' ' ? beforeSpace : ''}`;
      line = place.indent;
    } else {
      result += piece;
      line += [...piece].length;
    }
  }
  return result;
}
