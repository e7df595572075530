import type { Random } from './random.js';

/**
 * Repeatable random numbers (sfc32): the same seed gives the same sequence on every machine. For tests, not for
 * secrets.
 */
export function createSeededRandom(seed: number | string): Random {
  const next32 = sfc32(hash32(`a${seed}`), hash32(`b${seed}`), hash32(`c${seed}`));
  return {
    // 53 random bits, as in Math.random.
    next: () => ((next32() >>> 5) * 2 ** 26 + (next32() >>> 6)) / 2 ** 53,
    hex: (bytes) => Array.from({ length: bytes }, () => (next32() >>> 24).toString(16).padStart(2, '0')).join(''),
  };
}

function sfc32(a: number, b: number, c: number): () => number {
  let counter = 1;
  const next = (): number => {
    const result = (a + b + counter++) | 0;
    a = b ^ (b >>> 9);
    b = (c + (c << 3)) | 0;
    c = ((c << 21) | (c >>> 11)) + result;
    return result >>> 0;
  };
  // The first numbers still resemble the seed.
  for (let warmUp = 0; warmUp < 12; warmUp++) next();
  return next;
}

function hash32(text: string): number {
  let hash = 0x811c9dc5;
  for (const byte of Buffer.from(text)) hash = Math.imul(hash ^ byte, 0x01000193);
  return hash | 0;
}
