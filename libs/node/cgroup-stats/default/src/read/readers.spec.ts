import { describe, expect, it } from '@jest/globals';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { sharesOf } from './cgroup-v2-reader.js';
import { kernelNumber, limitBytes } from './kernel-numbers.js';
import { readSmallFile } from './small-file.js';
import { CpuRates } from '../cpu-rates.js';

it.each([
  [undefined, 0],
  [0, 0],
  [1, 2],
  [100, 2597],
  [10_000, 262_144],
  [10_001, 0],
])('cpu.weight %s stands for %d shares', (weight, shares) => {
  expect(sharesOf(weight)).toBe(shares);
});

it.each([
  ['5\n', 5, 5],
  ['max\n', undefined, undefined],
  ['', undefined, undefined],
  [undefined, undefined, undefined],
  ['-1\n', 0, 0],
  ['9223372036854771712\n', 9223372036854771712, undefined],
])('%j is the number %s, and as a limit %s', (text, number, limit) => {
  expect([kernelNumber(text), limitBytes(text)]).toEqual([number, limit]);
});

describe('small files', () => {
  it('are read whole, also when they are not small, and missing ones are no error', async () => {
    const folder = await mkdtemp(path.join(tmpdir(), 'podwright-small-'));
    const file = path.join(folder, 'file');
    for (const length of [0, 1, 2047, 2048, 16_384, 100_000]) {
      await writeFile(file, 'x'.repeat(length));
      expect((await readSmallFile(file))?.length).toBe(length);
    }
    expect(await readSmallFile(path.join(folder, 'missing'))).toBeUndefined();
    expect(await readSmallFile(path.join(file, 'below'))).toBeUndefined();
    await expect(readSmallFile(folder)).rejects.toMatchObject({ code: 'EISDIR' });
    await rm(folder, { recursive: true });
  });
});

describe('rates of CPU time', () => {
  it('are those since a reading that is a second to ten minutes old', () => {
    const rates = new CpuRates();
    const reading = (atMs: number, usageNs: number): number | undefined => rates.rate('/a', usageNs, atMs);
    expect(reading(0, 0)).toBeUndefined();
    expect(reading(10, 10_000_000)).toBeUndefined();
    expect(reading(2000, 1e9)).toBe(5e8);
    // Too soon for a rate of its own: it is since the start of the span.
    expect(reading(2500, 1.25e9)).toBe(5e8);
    expect(reading(3000, 2e9)).toBe(1e9);
    // Set back: another cgroup.
    expect(reading(5000, 1e9)).toBeUndefined();
    expect(reading(7000, 3e9)).toBe(1e9);
    expect(reading(700_000, 4e9)).toBeUndefined();
    rates.forget('/a');
    expect(reading(702_000, 5e9)).toBeUndefined();
  });
});
