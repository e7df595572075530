import { describe, expect, it } from '@jest/globals';
import { highestSupportedVersion, isLowerVersion } from './supported-version.js';

describe('the version of a driver', () => {
  it.each([
    [['1.0.0'], '1.0.0'],
    [['1.0.0', '1.2.0', '1.10.0'], '1.10.0'],
    [['2.0.0', 'v1.1', '0.3.0'], '1.1'],
    [['1.0.0-alpha', 'x'], '1.0.0'],
  ])('of %j is %s', (versions, highest) => {
    expect(highestSupportedVersion(versions)).toBe(highest);
  });

  it.each([
    [['2.0.0'], 'could not find a highest supported version from versions ([2.0.0]) reported: <nil>'],
    [['x'], 'could not find a highest supported version from versions ([x]) reported: could not parse "x" as version'],
    [['1'], 'could not find a highest supported version from versions ([1]) reported: illegal version string "1"'],
    [['0.3.0'], 'highest supported version reported is 0.3.0, must be v1.x'],
  ])('%j is refused', (versions, message) => {
    expect(() => highestSupportedVersion(versions)).toThrow(message);
  });

  it('is compared by numbers', () => {
    expect([isLowerVersion('1.2', '1.10'), isLowerVersion('1.0', '1.0.0'), isLowerVersion('1.1', '1.0.9')]).toEqual([
      true,
      false,
      false,
    ]);
  });
});
