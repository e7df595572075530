import { describe, expect, it } from '@jest/globals';
import { unlimitedHugePages } from './huge-pages.js';

describe('huge pages of the classes', () => {
  it('are all there are', () => {
    const limits = unlimitedHugePages([{ bytes: 2_097_152, name: '2MB' }]);
    expect([...limits]).toEqual([['2MB', 4_611_686_018_427_387_904n]]);
  });
});
