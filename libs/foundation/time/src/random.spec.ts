import { describe, expect, it } from '@jest/globals';
import { jitter } from './jitter.js';
import { namedRandom } from './named-random.js';
import { createSeededRandom } from './seeded-random.js';
import { createSystemRandom } from './system-random.js';

describe('seeded random', () => {
  it('repeats itself from a seed and differs between seeds', () => {
    const sequence = (seed: number | string): number[] => {
      const random = createSeededRandom(seed);
      return Array.from({ length: 5 }, () => random.next());
    };
    expect(sequence(7)).toEqual(sequence(7));
    expect(sequence(7)).not.toEqual(sequence(8));
    expect(createSeededRandom('a').hex(8)).toMatch(/^[0-9a-f]{16}$/);
  });

  it('spreads evenly over [0, 1)', () => {
    const random = createSeededRandom(1);
    const counts = [0, 0, 0, 0];
    for (let i = 0; i < 40_000; i++) counts[Math.floor(random.next() * 4)]!++;
    for (const count of counts) expect(Math.abs(count - 10_000)).toBeLessThan(400);
  });
});

describe('system random', () => {
  it('gives hex text of the asked length', () => {
    expect(createSystemRandom().hex(16)).toMatch(/^[0-9a-f]{32}$/);
  });
});

describe('named random', () => {
  it('draws each number under its name', () => {
    const names: (string | undefined)[] = [];
    const random = { next: (of?: string) => names.push(of), hex: () => 'ab' };
    const named = namedRandom(random, 'node-lease');
    expect([named.next(), named.next(), random.next(), named.hex(1)]).toEqual([1, 2, 3, 'ab']);
    expect(names).toEqual(['node-lease', 'node-lease', undefined]);
  });
});

describe('jitter', () => {
  it('adds up to factor times the base; no factor counts as 1', () => {
    const half = { next: () => 0.5, hex: () => '' };
    expect([jitter(half, 100, 0.2), jitter(half, 100, 0), jitter(half, 100, -1)]).toEqual([110, 150, 150]);
  });
});
