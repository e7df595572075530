import { describe, expect, it } from '@jest/globals';
import { VirtualClock } from '@podwright/time';
import { RateLimit } from './rate-limit.js';

describe('RateLimit', () => {
  it('lets a burst through, then so many a second, and saves no more than a burst', async () => {
    const clock = new VirtualClock();
    const limit = new RateLimit(clock, 10, 3);
    const allowed = (count: number): number =>
      Array.from({ length: count }, () => limit.allow()).filter(Boolean).length;
    expect(allowed(5)).toBe(3);
    await clock.advance(99);
    expect(allowed(5)).toBe(0);
    await clock.advance(101);
    expect(allowed(5)).toBe(2);
    await clock.advance(60_000);
    expect(allowed(9)).toBe(3);
  });
});
