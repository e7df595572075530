import { describe, expect, it } from '@jest/globals';
import { runtimeVersionText } from './runtime-version.js';

describe('the version of the runtime', () => {
  it.each([
    ['v2.1.0', '2.1.0'],
    ['1.7.27', '1.7.27'],
    ['2.2.0-rc.1', '2.2.0-rc.1'],
    ['v1.33.0+git.abc', '1.33.0+git.abc'],
    ['1.2.3~ds1', '1.2.3'],
    ['1.02.3', '1.2.3'],
    ['v28.1', '28.1'],
    ['1.2.3.4', '1.2.3.4'],
    ['7', 'Unknown'],
    ['', 'Unknown'],
    ['unknown', 'Unknown'],
  ])('%j is shown as %j', (reported, shown) => {
    expect(runtimeVersionText(reported)).toBe(shown);
  });
});
