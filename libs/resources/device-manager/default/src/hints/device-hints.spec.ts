import { describe, expect, it } from '@jest/globals';
import { deviceHints } from './device-hints.js';

describe('hints', () => {
  const device = (id: string, ...numaNodes: number[]) => ({ id, health: 'Healthy', numaNodes });
  const two = [device('a', 0), device('b', 0), device('c', 1), device('d', 1)];
  const masks = (input: Partial<Parameters<typeof deviceHints>[0]>): readonly string[] =>
    deviceHints({
      devices: two,
      available: new Set('abcd'),
      reusable: new Set(),
      request: 2,
      machineNodes: [0, 1],
      ...input,
    }).map(({ numaNodes = [], preferred }) => `${numaNodes.join('')}${preferred ? '!' : ''}`);

  it.each<[string, Partial<Parameters<typeof deviceHints>[0]>, readonly string[]]>([
    ['one node is enough', {}, ['0!', '1!', '01']],
    ['one node is enough, but not now', { available: new Set('acd') }, ['1!', '01']],
    ['one node would be enough, never mind who has them', { available: new Set('ac') }, ['01']],
    ['both are needed', { request: 3 }, ['01!']],
    ['too many', { request: 5 }, []],
    ['what can be reused must be inside', { available: new Set('bcd'), reusable: new Set('a') }, ['0!', '01']],
    ['devices without a place count nowhere', { devices: [device('a', 0), device('x')], request: 2 }, []],
    ['nodes that the machine has not are dropped', { machineNodes: [1] }, ['1!']],
    ['nobody knows the machine', { machineNodes: undefined }, ['0!', '1!', '01']],
    [
      'a device of two nodes',
      { devices: [device('a', 0, 1)], available: new Set('a'), request: 1 },
      ['0!', '1!', '01'],
    ],
  ])('%s', (_case, input, hints) => {
    expect(masks(input)).toEqual(hints);
  });
});
