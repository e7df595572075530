/** Nearest rank in an ascending list, at least the share `q` of which is not larger; 0 of an empty list. */
export const quantile = (ascending: readonly number[], q: number): number =>
  ascending[Math.max(0, Math.ceil(q * ascending.length) - 1)] ?? 0;

/** Median of an ascending list. */
export const median = (ascending: readonly number[]): number => quantile(ascending, 0.5);
