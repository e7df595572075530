import { describe, expect, it } from '@jest/globals';
import { JestProgress } from './jest-progress.js';

describe('JestProgress', () => {
  it('counts the files of which jest has told the end, in whatever parts its output comes', () => {
    const progress = new JestProgress('unit', 9);
    expect(progress.line()).toBe('  unit: 0 of 9 files done');
    for (const part of ['PA', 'SS libs/a.spec.ts (5 s)\nPASS lib', 's/b.spec.ts\n  PASS said by a test\n'])
      progress.take(part);
    expect(progress.line()).toBe('  unit: 2 of 9 files done');
    progress.take('FAIL libs/c.spec.ts\n  expected PASS \n');
    expect(progress.line()).toBe('  unit: 3 of 9 files done, 1 failed');
  });
});
