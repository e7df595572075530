import type { Random } from './random.js';

/** The source with all numbers drawn under this name, see {@link Random.next}. */
export const namedRandom = (random: Random, of: string): Random => ({
  next: () => random.next(of),
  hex: (bytes) => random.hex(bytes),
});
