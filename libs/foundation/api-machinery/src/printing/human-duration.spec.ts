import { describe, expect, it } from '@jest/globals';
import { ageOf, humanDuration } from './human-duration.js';

const minute = 60;
const hour = 60 * minute;
const day = 24 * hour;
const year = 365 * day;

describe('humanDuration', () => {
  it.each([
    [-2, '<invalid>'],
    [0, '0s'],
    [119, '119s'],
    [2 * minute, '2m'],
    [9 * minute + 18, '9m18s'],
    [10 * minute + 18, '10m'],
    [3 * hour - 1, '179m'],
    [3 * hour + 5 * minute, '3h5m'],
    [8 * hour + 5 * minute, '8h'],
    [2 * day - 1, '47h'],
    [2 * day + hour, '2d1h'],
    [8 * day + hour, '8d'],
    [2 * year, '2y'],
    [3 * year + 10 * day, '3y10d'],
    [9 * year + 10 * day, '9y'],
  ])('writes %d s as %s', (seconds, text) => {
    expect(humanDuration(seconds * 1_000)).toBe(text);
  });

  it('does not know the age of what has no time', () => {
    expect(ageOf(undefined, 0)).toBe('<unknown>');
    expect(ageOf('1970-01-01T00:00:00Z', 5_000)).toBe('5s');
  });
});
