import type { Random } from '@podwright/time';

// As upstream's generator: no vowels and no digits that look like letters, so that it makes no words.
const letters = 'bcdfghjklmnpqrstvwxz2456789';

/** The length of the suffix of a generated name. */
export const suffixLength = 5;

export function randomSuffix(random: Random): string {
  const letter = (): string => letters[Math.floor(random.next() * letters.length)] ?? 'b';
  return Array.from({ length: suffixLength }, letter).join('');
}
