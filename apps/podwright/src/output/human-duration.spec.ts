import { describe, expect, it } from '@jest/globals';
import { age, humanDuration } from './human-duration.js';

const [second, minute, hour, day] = [1_000, 60_000, 3_600_000, 86_400_000];

describe('humanDuration', () => {
  // Source: kubernetes v1.36 apimachinery/pkg/util/duration/duration_test.go.
  it.each([
    [-2 * second, '<invalid>'],
    [-1 * second, '0s'],
    [0, '0s'],
    [second, '1s'],
    [70 * second, '70s'],
    [190 * second, '3m10s'],
    [70 * minute, '70m'],
    [47 * hour, '47h'],
    [49 * hour, '2d1h'],
    [8 * day + 2 * hour, '8d'],
    [367 * day, '367d'],
    [730 * day + 25 * hour, '2y1d'],
    [8 * 365 * day + 3 * hour, '8y'],
    [3 * hour, '3h'],
    [3 * hour + 5 * minute, '3h5m'],
    [2 * minute, '2m'],
  ])('%i ms is %s', (ms, text) => {
    expect(humanDuration(ms)).toBe(text);
  });

  it('knows no age without a time', () => {
    expect(age(undefined, 0)).toBe('<unknown>');
    expect(age('1970-01-01T00:00:00Z', 5_000)).toBe('5s');
  });
});
