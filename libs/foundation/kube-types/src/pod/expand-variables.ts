/**
 * Replaces `$(NAME)` by what `lookUp` gives; `$$` stands for one `$`, and a reference without a value stays as it is, as
 * does one that is not closed. What comes in is not expanded again.
 * Source: kubernetes v1.36 third_party/forked/golang/expansion/expand.go.
 */
export function expandVariables(text: string, lookUp: (name: string) => string | undefined): string {
  if (!text.includes('$')) return text;
  // Without this cut each unclosed reference would be read to the end of the text, which takes minutes for a long one.
  const end = text.lastIndexOf(')') + 1;
  const closed = text
    .slice(0, end)
    .replace(/\$(?:\$|\(([^)]*)\))/g, (whole, name: string | undefined) =>
      name === undefined ? '$' : (lookUp(name) ?? whole),
    );
  return closed + text.slice(end).replaceAll('$$', () => '$');
}
