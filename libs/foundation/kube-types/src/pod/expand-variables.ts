/**
 * Replaces `$(NAME)` by the result of `lookUp` and `$$` by `$`. A reference stays as it is when `lookUp` returns
 * undefined or when it is not closed. Values are not expanded again.
 * Source: kubernetes v1.36 third_party/forked/golang/expansion/expand.go.
 */
export function expandVariables(text: string, lookUp: (name: string) => string | undefined): string {
  if (!text.includes('$')) return text;
  // Without this cut the pattern reads to the end of the text for each unclosed reference: minutes for a long text.
  const end = text.lastIndexOf(')') + 1;
  const closed = text
    .slice(0, end)
    .replace(/\$(?:\$|\(([^)]*)\))/g, (whole, name: string | undefined) =>
      name === undefined ? '$' : (lookUp(name) ?? whole),
    );
  return closed + text.slice(end).replaceAll('$$', () => '$');
}
