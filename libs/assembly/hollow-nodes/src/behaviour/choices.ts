import { createSeededRandom, type Random } from '@podwright/time';

/**
 * Random numbers for one question, such as how long a container runs. They depend on the seed and the question alone, so
 * that the answer is the same in each run, in whatever order the questions come.
 */
export type Choices = (...question: readonly (string | number)[]) => Random;

export function createChoices(seed: number | string): Choices {
  return (...question) => createSeededRandom([seed, ...question].join('\0'));
}
