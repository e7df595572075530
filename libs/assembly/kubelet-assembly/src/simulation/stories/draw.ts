import { createSeededRandom } from '@podwright/time';

/** Chance of one concern. */
export interface Draw {
  /** True in one of `n` cases. */
  oneIn(n: number): boolean;
  /** An integer from `from` to `to`, both included. */
  between(from: number, to: number): number;
  pick<T>(choices: readonly T[]): T;
}

/** A stream of its own for each concern, so that a change of one leaves the others as they were. */
export function drawFor(seed: number, concern: string): Draw {
  const random = createSeededRandom(`${concern} ${seed}`);
  const between = (from: number, to: number): number => from + Math.floor(random.next() * (to - from + 1));
  return {
    between,
    oneIn: (n) => between(1, n) === 1,
    pick: <T>(choices: readonly T[]): T => choices[between(0, choices.length - 1)] as T,
  };
}
