/**
 * Returns `instance` with some of its members replaced. The other methods run on the instance itself, so its own calls
 * do not reach the replacements: only calls from outside do.
 */
export function breaks<T extends object>(instance: T, replaced: Partial<T>): T {
  return new Proxy(instance, {
    get: (target, property) => {
      if (Object.hasOwn(replaced, property)) return Reflect.get(replaced, property) as unknown;
      const value: unknown = Reflect.get(target, property);
      return typeof value === 'function' ? (value.bind(target) as unknown) : value;
    },
    // So that a harness can be spread into another object.
    ownKeys: (target) => [...new Set([...Reflect.ownKeys(target), ...Reflect.ownKeys(replaced)])],
    getOwnPropertyDescriptor: (target, property) =>
      Reflect.getOwnPropertyDescriptor(Object.hasOwn(replaced, property) ? replaced : target, property),
  });
}

/** A breakage of the harness's member `name`: `replaced` returns the members of it to replace. */
export function breaksIn<H extends object, Name extends keyof H>(
  name: Name,
  replaced: (member: H[Name] & object, good: H) => Partial<H[Name]>,
): (good: H) => Partial<H> {
  return (good) => {
    const member = good[name] as H[Name] & object;
    return { [name]: breaks(member, replaced(breaks(member, {}), good)) } as unknown as Partial<H>;
  };
}

/** A breakage of the harness's member `name`: its second `stop()` rejects. */
export function refusesSecondStop<Name extends string>(
  name: Name,
): <H extends Readonly<Record<Name, { stop(): Promise<void> }>>>(good: H) => Partial<H> {
  return (good) => {
    let stopped = false;
    const stop = (): Promise<void> => {
      if (stopped) return Promise.reject(new Error('stopped already'));
      stopped = true;
      return good[name].stop();
    };
    return { [name]: breaks<{ stop(): Promise<void> }>(good[name], { stop }) } as unknown as Partial<typeof good>;
  };
}
