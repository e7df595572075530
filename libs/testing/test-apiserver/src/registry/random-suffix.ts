import type { Random } from '@podwright/time';

// As upstream's generator: no vowels and no digits that look like letters, so that no words come out.
const letters = 'bcdfghjklmnpqrstvwxz2456789';

/** Five letters, as at the end of a generated name. */
export const suffixLength = 5;

export function randomSuffix(random: Random): string {
  const letter = (): string => letters[Math.floor(random.next() * letters.length)] ?? 'b';
  return Array.from({ length: suffixLength }, letter).join('');
}
