import { describe, expect, it } from '@jest/globals';
import { rotatedFrom, rotatedName, splitExcess, splitUnused } from './rotated-logs.js';

describe('files of a log', () => {
  it('are those that begin with its name and a dot', () => {
    const names = ['0.log', '0.log.20260101-000000', '0.log.x', '0.log2', '10.log.20260101-000000', '0.logx.y'];
    expect(rotatedFrom('0.log', names)).toEqual(['0.log.20260101-000000', '0.log.x']);
  });

  it.each([
    // Names, those of no use
    [['a', 'b.gz'], []],
    [['a', 'a.gz'], ['a']],
    [['a', 'a.tmp'], ['a.tmp']],
    [
      ['a.gz', 'a.gz.tmp', 'b.tmp'],
      ['a.gz.tmp', 'b.tmp'],
    ],
    [[], []],
  ])('of %j there are no use for %j', (names, unused) => {
    expect(splitUnused(names)).toEqual({ inUse: names.filter((name) => !unused.includes(name)), unused });
  });

  it.each([
    // rotated, most files, those that go
    [3, 5, 0],
    [4, 5, 1],
    [9, 5, 6],
    [1, 3, 0],
    [1, 2, 1],
    [0, 2, 0],
  ])('%d rotated ones with at most %d in all: %d go, the oldest', (count, maxFiles, gone) => {
    const names = Array.from({ length: count }, (_, index) => `0.log.2026010${index + 1}-000000`);
    const { kept, excess } = splitExcess([...names].reverse(), maxFiles);
    expect(excess).toEqual(names.slice(0, gone));
    expect(kept).toEqual(names.slice(gone));
  });

  it('have the local time in their name', () => {
    const at = new Date(2026, 0, 2, 3, 4, 5, 678);
    expect(rotatedName('0.log', at.getTime())).toBe('0.log.20260102-030405');
    expect(rotatedName('0.log', new Date(2026, 11, 31, 23, 59, 59).getTime())).toBe('0.log.20261231-235959');
  });
});
