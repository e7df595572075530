import { describe, expect, it } from '@jest/globals';
import { untilHolds, waitFor } from './wait-for.js';

const soon = { withinMs: 0, everyMs: 1 };

describe('waiting', () => {
  it('ends with what was found, however often there was nothing or an error before', async () => {
    const answers = [undefined, false, new Error('not there'), 7];
    const look = async (): Promise<number | undefined | false> => {
      const answer = answers.shift();
      if (answer instanceof Error) throw answer;
      return answer as number | undefined | false;
    };
    expect(await waitFor('a number', look, { everyMs: 1 })).toBe(7);
  });

  it('says what it waited for, and the error of the last look', async () => {
    const failing = waitFor('a file', () => Promise.reject(new Error('ENOENT')), soon);
    await expect(failing).rejects.toThrow('not within 0 ms: a file: ENOENT');
  });

  it('repeats assertions until they hold, or shows what was there instead', async () => {
    let value = 0;
    await untilHolds(async () => expect(++value).toBe(3), { everyMs: 1 });
    expect(value).toBe(3);
    await expect(untilHolds(async () => expect('seen').toBe('wanted'), soon)).rejects.toThrow(/wanted[^]*seen/);
  });
});
