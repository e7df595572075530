import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { Standstills } from './standstills.js';

describe('standstills', () => {
  let standstills: Standstills;
  beforeEach(() => {
    jest.useFakeTimers({ now: 0 });
    standstills = new Standstills();
  });
  afterEach(() => {
    standstills.stop();
    jest.useRealTimers();
  });

  it('are not counted, but all other time is', () => {
    jest.advanceTimersByTime(1_000);
    jest.setSystemTime(3_000);
    jest.advanceTimersByTime(500);
    expect(standstills.ranMs(0, 1_000)).toBe(1_000);
    expect(standstills.ranMs(0, 3_500)).toBe(1_500);
    expect(standstills.ranMs(2_000, 3_500)).toBe(480);
    expect(standstills.ranMs(3_500, 0)).toBe(-3_500);
  });

  it('are no timers that come a little late, and may end just now', () => {
    jest.setSystemTime(90);
    jest.advanceTimersByTime(20);
    expect(standstills.ranMs(0, 110)).toBe(110);
    jest.setSystemTime(1_110);
    expect(standstills.ranMs(110, 1_110)).toBe(20);
  });
});
