/**
 * Replaces `$(NAME)` by what `lookUp` gives; `$$` stands for one `$`, and a name without a value stays as it is.
 * Source: kubernetes v1.36 third_party/forked/golang/expansion/expand.go.
 */
export function expandVariables(text: string, lookUp: (name: string) => string | undefined): string {
  if (!text.includes('$')) return text;
  return text.replace(/\$(?:\$|\(([^)]*)\))/g, (whole, name: string | undefined) =>
    name === undefined ? '$' : (lookUp(name) ?? whole),
  );
}
