/**
 * The highest level such that the sizes, each cut to the level, add up to at most `capacity`. What is small stays whole,
 * and what is large shares the rest equally.
 */
export function waterLevel(sizes: readonly number[], capacity: number): number {
  const ascending = [...sizes].sort((left, right) => left - right);
  let left = capacity;
  for (const [index, size] of ascending.entries()) {
    const share = left / (ascending.length - index);
    if (size > share) return share;
    left -= size;
  }
  return Infinity;
}
