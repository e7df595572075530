interface Numbered {
  readonly seq: number;
}

/** Joins two lists that are in order; what is in both comes once. */
export async function* mergeByNumber<T extends Numbered>(
  stored: AsyncIterable<T>,
  inMemory: readonly T[],
): AsyncIterable<T> {
  let next = 0;
  for await (const entry of stored) {
    for (let own = inMemory[next]; own !== undefined && own.seq <= entry.seq; own = inMemory[++next])
      if (own.seq < entry.seq) yield own;
    yield entry;
  }
  yield* inMemory.slice(next);
}
