import { describe, expect, it } from '@jest/globals';
import { ChangeWriter } from './change-writer.js';

describe('ChangeWriter', () => {
  it('makes one write of what changes at once, and one more of what changes meanwhile', async () => {
    let state = 0;
    const written: number[] = [];
    const releases: (() => void)[] = [];
    const writer = new ChangeWriter(async () => {
      const content = state;
      await new Promise<void>((resolve) => releases.push(resolve));
      written.push(content);
    });
    await writer.flushed();
    for (state of [1, 2, 3]) writer.changed();
    await Promise.resolve();
    await Promise.resolve();
    for (state of [4, 5]) writer.changed();
    expect(releases).toHaveLength(1);
    releases[0]?.();
    while (releases.length < 2) await Promise.resolve();
    releases[1]?.();
    await writer.flushed();
    expect(written).toEqual([3, 5]);
  });
});
