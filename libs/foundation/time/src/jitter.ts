import type { Random } from './random.js';

/**
 * A random duration from `baseMs` up to `baseMs * (1 + factor)`. A factor of 0 or less counts as 1.
 * Source: kubernetes v1.36 apimachinery/pkg/util/wait/wait.go, Jitter.
 */
export function jitter(random: Random, baseMs: number, factor: number): number {
  return baseMs + random.next() * (factor > 0 ? factor : 1) * baseMs;
}
