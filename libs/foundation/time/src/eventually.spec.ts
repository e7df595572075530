import { describe, expect, it } from '@jest/globals';
import { hasCode } from '@podwright/errors';
import { eventually } from './eventually.js';

describe('eventually', () => {
  it('looks until it is true, however often', async () => {
    let looks = 0;
    await eventually(async () => ++looks === 20);
    expect(looks).toBe(20);
  });

  it('gives up what does not come, and passes errors on', async () => {
    const error: unknown = await eventually(() => false, 5).catch((thrown: unknown) => thrown);
    expect(hasCode(error, 'deadline-exceeded')).toBe(true);
    await expect(
      eventually(() => {
        throw new Error('broken');
      }),
    ).rejects.toThrow('broken');
  });
});
