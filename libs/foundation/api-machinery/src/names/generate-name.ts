import type { Random } from '@podwright/time';

// No vowels and no digits that look like letters, so that it makes no words.
const letters = 'bcdfghjklmnpqrstvwxz2456789';
const suffixLength = 5;
const longestPrefix = 63 - suffixLength;

/** Five random letters and digits. */
export function randomSuffix(random: Random): string {
  const letter = (): string => letters[Math.floor(random.next() * letters.length)] ?? 'b';
  return Array.from({ length: suffixLength }, letter).join('');
}

/** The name of an object with this `generateName`. Source: kubernetes v1.36 apiserver/pkg/storage/names/generate.go. */
export function generateName(prefix: string, random: Random): string {
  return prefix.slice(0, longestPrefix) + randomSuffix(random);
}
