import { describe, expect, it } from '@jest/globals';
import { GrowingPause, type GrowingPauseOptions } from './growing-pause.js';

const pausesOf = (options: GrowingPauseOptions): readonly number[] => {
  const pause = new GrowingPause(options);
  return Array.from({ length: 5 }, () => pause.next());
};

describe('GrowingPause', () => {
  it.each<[GrowingPauseOptions, readonly number[]]>([
    [{ firstMs: 100 }, [100, 200, 400, 800, 1_600]],
    [{ firstMs: 100, longestMs: 700 }, [100, 200, 400, 700, 700]],
    [{ firstMs: 100, longestMs: 50 }, [50, 50, 50, 50, 50]],
    [{ firstMs: 500, factor: 1.5 }, [500, 750, 1_125, 1_687.5, 2_531.25]],
    [{ firstMs: 10, factor: 1 }, [10, 10, 10, 10, 10]],
  ])('%j', (options, pauses) => {
    expect(pausesOf(options)).toEqual(pauses);
  });

  it('starts anew after a reset', () => {
    const pause = new GrowingPause({ firstMs: 1, longestMs: 2 });
    expect([pause.next(), pause.next(), pause.next()]).toEqual([1, 2, 2]);
    pause.reset();
    expect([pause.next(), pause.next()]).toEqual([1, 2]);
  });

  it('stays bounded for ever', () => {
    const pause = new GrowingPause({ firstMs: 1, longestMs: 30_000 });
    for (let tries = 0; tries < 5_000; tries++) pause.next();
    expect(pause.next()).toBe(30_000);
  });
});
