/** Names a role in an assembly. `T` is the role's interface; at run time a token is a registered symbol. */
export type Token<T> = symbol & { readonly __role?: T };

/**
 * Names a role to which any number of modules contribute. A module that needs it gets all contributions, in start
 * order.
 */
export type ManyToken<T> = Token<readonly T[]> & { readonly __many?: true };

/** The interface of a token's role; a list of them for a {@link ManyToken}. */
export type RoleOf<T> = T extends { readonly __role?: infer R } ? R : never;

const prefix = '@podwright/token:';
const manyPrefix = '@podwright/tokens:';

/**
 * Makes the token of a role; its `id` is `kubelet.<role>/v<major>`. The same id gives the same token, so that two
 * copies of an interface package in one process share it. A breaking change of the interface needs a new major.
 */
export function createToken<T>(id: string): Token<T> {
  return Symbol.for(prefix + id) as Token<T>;
}

/** Makes a token that modules contribute to instead of providing it. `id` as for {@link createToken}. */
export function createManyToken<T>(id: string): ManyToken<T> {
  return Symbol.for(manyPrefix + id) as ManyToken<T>;
}

/** True for a token of {@link createManyToken}, also of another copy of this package. */
export function takesMany(token: Token<unknown>): boolean {
  return Symbol.keyFor(token)?.startsWith(manyPrefix) ?? false;
}

/** The id of a token, for messages. */
export function tokenId(token: Token<unknown>): string {
  const key = Symbol.keyFor(token);
  const used = [prefix, manyPrefix].find((start) => key?.startsWith(start));
  return key !== undefined && used !== undefined ? key.slice(used.length) : String(token.description ?? 'unnamed');
}
