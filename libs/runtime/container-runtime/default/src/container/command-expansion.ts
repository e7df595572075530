type Variables = ReadonlyMap<string, string>;

/**
 * Replaces `$(NAME)` by the variable's value; `$$` stands for one `$`, unknown names stay as they are.
 * Source: kubernetes v1.36 third_party/forked/golang/expansion/expand.go.
 */
export function expandVariables(text: string, variables: Variables): string {
  return text.replace(/\$(?:\$|\(([^)]*)\))/g, (match, name: string | undefined) =>
    name === undefined ? '$' : (variables.get(name) ?? match),
  );
}

export function variablesOf(envs: readonly { readonly name: string; readonly value: string }[]): Variables {
  return new Map(envs.map(({ name, value }) => [name, value]));
}
