import { randomBytes } from 'node:crypto';
import type { Random } from './random.js';

/** Real chance: `next` is fast and predictable, `hex` comes from the kernel's generator and may be used for UIDs. */
export function createSystemRandom(): Random {
  return {
    next: () => Math.random(),
    hex: (bytes) => randomBytes(bytes).toString('hex'),
  };
}
