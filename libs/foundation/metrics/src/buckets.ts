/** `count` bounds from `start`, each `factor` times the one before. Source: prometheus client_golang ExponentialBuckets. */
export function exponentialBuckets(start: number, factor: number, count: number): readonly number[] {
  const buckets: number[] = [];
  // Multiplied step by step, as upstream does, so that the last digits of `le` come out the same.
  for (let bound = start; buckets.length < count; bound *= factor) buckets.push(bound);
  return buckets;
}

/** Bounds in seconds for most durations. Source: prometheus client_golang DefBuckets. */
export const defaultBuckets: readonly number[] = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];
