import { describe, expect, it } from '@jest/globals';
import { splitByAffinity } from './split-by-affinity.js';

describe('free devices by affinity', () => {
  const nodes: Readonly<Record<string, readonly number[]>> = { a: [0], b: [1], c: [0, 1], d: [], e: [2], f: [1] };
  const split = (numaNodes: readonly number[] | undefined): readonly string[] => {
    const { aligned, unaligned, without } = splitByAffinity(
      new Set(Object.keys(nodes)),
      (id) => nodes[id] ?? [],
      numaNodes,
    );
    return [aligned, unaligned, without].map((ids) => [...ids].join(''));
  };

  it.each<[readonly number[] | undefined, readonly string[]]>([
    [undefined, ['', '', 'abcdef']],
    [[0], ['ac', 'bef', 'd']],
    [[1], ['bcf', 'ae', 'd']],
    [
      [0, 1],
      ['abcf', 'e', 'd'],
    ],
    [[3], ['', 'abcef', 'd']],
  ])('nodes %j: %j', (numaNodes, lists) => {
    expect(split(numaNodes)).toEqual(lists);
  });
});
