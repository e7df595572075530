/** Finds what the stand-in has in the place of a member; `value` is the member itself, functions bound to their object. */
export type Instead = (name: PropertyKey, value: unknown) => unknown;

/**
 * Stands for a role, with some members replaced. The target of the proxy is an empty object, because a proxy must show the
 * members of a frozen target as they are.
 */
export function standIn<T extends object>(inner: T, instead: Instead): T {
  return new Proxy({} as T, {
    get: (_target, name) => {
      const value: unknown = Reflect.get(inner, name, inner);
      return instead(name, typeof value === 'function' ? (value.bind(inner) as unknown) : value);
    },
    has: (_target, name) => name in inner,
  });
}
