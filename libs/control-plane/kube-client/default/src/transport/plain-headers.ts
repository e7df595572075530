/** Headers of an answer with one text each; several values of one name are joined as HTTP says. */
export function plainHeaders(
  headers: Readonly<Record<string, string | readonly string[] | undefined>>,
): Readonly<Record<string, string>> {
  const plain: Record<string, string> = {};
  for (const [name, value] of Object.entries(headers)) {
    if (value === undefined || name.startsWith(':')) continue;
    plain[name] = typeof value === 'string' ? value : value.join(', ');
  }
  return plain;
}
