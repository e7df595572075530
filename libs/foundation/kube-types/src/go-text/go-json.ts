const escapes: Readonly<Record<string, string>> = {
  '<': '\\u003c',
  '>': '\\u003e',
  '&': '\\u0026',
  '\u2028': '\\u2028',
  '\u2029': '\\u2029',
};
// Matches whole escapes, so that the second backslash of an escaped backslash does not begin another escape.
const escapedOrSpecial = /\\(?:u(d[89a-f][0-9a-f]{2})|.)|[<>&\u2028\u2029]/g;

/**
 * Compact JSON as Go's encoding/json writes it: it escapes `<`, `>`, `&`, U+2028 and U+2029, and replaces half
 * surrogate pairs by U+FFFD. Keys keep their order; wrap what is a map in Go in {@link goMap}. Undefined becomes
 * `null`.
 * Source: Go encoding/json.Marshal.
 */
export function goJson(value: unknown): string {
  return (JSON.stringify(value) ?? 'null').replace(escapedOrSpecial, (part: string, surrogate?: string) =>
    surrogate === undefined ? (escapes[part] ?? part) : '\ufffd',
  );
}

/** A record with sorted keys: encoding/json writes a Go map in the order of its keys. */
export function goMap<T>(entries: Iterable<readonly [string, T]>): Readonly<Record<string, T>> {
  return Object.fromEntries([...entries].sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0)));
}
