/** All combinations of `size` items, in lexicographic order of their positions; none for an invalid `size`. */
export function* combinations<T>(items: readonly T[], size: number): Generator<readonly T[]> {
  if (size < 1 || size > items.length) return;
  const positions = Array.from({ length: size }, (_, index) => index);
  for (;;) {
    yield positions.map((position) => items[position] as T);
    let moving = size - 1;
    while (moving >= 0 && positions[moving] === items.length - size + moving) moving -= 1;
    if (moving < 0) return;
    let next = (positions[moving] ?? 0) + 1;
    for (let index = moving; index < size; index += 1) positions[index] = next++;
  }
}

/** All non-empty combinations: those of one item first, then two, and so on. */
export function* allCombinations<T>(items: readonly T[]): Generator<readonly T[]> {
  for (let size = 1; size <= items.length; size += 1) yield* combinations(items, size);
}
