/** Names one role in an assembly. `T` is the interface that plays it; at run time a token is a registered symbol. */
export type Token<T> = symbol & { readonly __role?: T };

const prefix = '@podwright/token:';

/**
 * Makes the token of a role, `id` as `kubelet.<role>/v<major>`. Two calls with one id give the same token, so that two
 * copies of an interface package in one process still meet; a breaking change of the interface takes a new major.
 */
export function createToken<T>(id: string): Token<T> {
  return Symbol.for(prefix + id) as Token<T>;
}

/** The id of a token, for messages. */
export function tokenId(token: Token<unknown>): string {
  const key = Symbol.keyFor(token);
  return key?.startsWith(prefix) ? key.slice(prefix.length) : String(token.description ?? 'unnamed');
}
