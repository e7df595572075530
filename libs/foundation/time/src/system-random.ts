import { randomBytes } from 'node:crypto';
import type { Random } from './random.js';

/** Real random numbers: `next` is fast but predictable; `hex` is cryptographically secure and may be used for UIDs. */
export function createSystemRandom(): Random {
  return {
    next: () => Math.random(),
    hex: (bytes) => randomBytes(bytes).toString('hex'),
  };
}
