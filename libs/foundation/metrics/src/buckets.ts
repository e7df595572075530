/**
 * `count` bounds: `start`, then each `factor` times the previous one. Source: prometheus client_golang
 * ExponentialBuckets.
 */
export function exponentialBuckets(start: number, factor: number, count: number): readonly number[] {
  const buckets: number[] = [];
  // Multiplies step by step, as upstream, so that the last digits of `le` are the same.
  for (let bound = start; buckets.length < count; bound *= factor) buckets.push(bound);
  return buckets;
}

/**
 * `count` bounds from `first` to `last`, each the same factor above the previous one. Source: as above,
 * ExponentialBucketsRange.
 */
export function exponentialBucketsRange(first: number, last: number, count: number): readonly number[] {
  const factor = (last / first) ** (1 / (count - 1));
  return Array.from({ length: count }, (_, index) => first * power(factor, index));
}

/** Squares and multiplies as Go's math.Pow does; `**` differs in the last digits, and `le` would show them. */
function power(base: number, exponent: number): number {
  let result = 1;
  for (let [square, rest] = [base, exponent]; rest > 0; [square, rest] = [square * square, rest >> 1])
    if (rest % 2 === 1) result *= square;
  return result;
}

/** The usual bounds for durations, in seconds. Source: prometheus client_golang DefBuckets. */
export const defaultBuckets: readonly number[] = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];
