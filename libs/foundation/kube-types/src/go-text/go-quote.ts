const shortEscapes: Readonly<Record<string, string>> = {
  '\u0007': '\\a',
  '\b': '\\b',
  '\f': '\\f',
  '\n': '\\n',
  '\r': '\\r',
  '\t': '\\t',
  '\v': '\\v',
  '\\': '\\\\',
  '"': '\\"',
};
const printable = /^[\p{L}\p{M}\p{N}\p{P}\p{S} ]$/u;

/** The text in double quotes as Go's `%q` shows it. Half surrogate pairs become U+FFFD, as they do on the wire. */
export function goQuote(text: string): string {
  let quoted = '"';
  for (const character of Buffer.from(text).toString()) quoted += quotedCharacter(character);
  return `${quoted}"`;
}

function quotedCharacter(character: string): string {
  const short = shortEscapes[character];
  if (short !== undefined) return short;
  if (printable.test(character)) return character;
  const point = character.codePointAt(0) ?? 0;
  if (point < 0x80) return `\\x${hex(point, 2)}`;
  return point > 0xffff ? `\\U${hex(point, 8)}` : `\\u${hex(point, 4)}`;
}

function hex(point: number, digits: number): string {
  return point.toString(16).padStart(digits, '0');
}
