import { describe, expect, it } from '@jest/globals';
import { createMemoryLogger } from '@podwright/logging';
import { DeviceInventory } from './device-inventory.js';
import { deviceHints } from './device-hints.js';
import { isExtendedResourceName } from './extended-resource-name.js';
import { mergeResponses } from './merge-responses.js';
import { splitByAffinity } from './split-by-affinity.js';

describe('names of resources', () => {
  it.each([
    ['example.com/gpu', true],
    ['gpu', false],
    ['kubernetes.io/gpu', false],
    ['sub.kubernetes.io/gpu', false],
    ['requests.example.com/gpu', false],
    ['example.com/', false],
    ['example.com/a b', false],
    [`${'a'.repeat(250)}.com/gpu`, false],
    ['', false],
  ])('%s: %s', (name, valid) => {
    expect(isExtendedResourceName(name)).toBe(valid);
  });
});

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

describe('lists of a plugin', () => {
  it('change what is healthy, and tell what has changed', () => {
    const inventory = new DeviceInventory();
    const replace = (...devices: [string, string][]): readonly string[] =>
      inventory.replace(
        'r',
        devices.map(([id, health]) => ({ id, health, numaNodes: [] })),
      );
    expect(replace(['a', 'Healthy'], ['b', 'healthy'])).toEqual(['a', 'b']);
    expect([[...inventory.healthy('r')], inventory.unhealthyCount('r')]).toEqual([['a'], 1]);
    expect(replace(['b', 'healthy'], ['a', 'Sick'])).toEqual(['a']);
    expect(replace(['a', 'Sick'])).toEqual([]);
    expect(replace(['a', 'Healthy'], ['b', 'Healthy'], ['b', 'Sick'])).toEqual(['a', 'b']);
    expect([[...inventory.healthy('r')], inventory.unhealthyCount('r')]).toEqual([['a'], 1]);
    inventory.markUnhealthy('r');
    expect([inventory.healthy('r').size, inventory.unhealthyCount('r')]).toEqual([0, 2]);
    expect(inventory.device('r', 'a')?.health).toBe('Healthy');
  });
});

describe('answers for several resources', () => {
  const answer = { envs: {}, mounts: [], devices: [], annotations: {}, cdiDevices: [] };

  it('are merged, the first value of a key wins', () => {
    const logger = createMemoryLogger();
    const merged = mergeResponses(
      [
        {
          ...answer,
          envs: { A: '1', B: '1' },
          mounts: [{ hostPath: '/a', containerPath: '/x', readOnly: true }],
          cdiDevices: [{ name: 'c' }],
        },
        {
          ...answer,
          envs: { A: '2', B: '1', C: '3' },
          mounts: [{ hostPath: '/b', containerPath: '/x', readOnly: false }],
          annotations: { k: 'v' },
          cdiDevices: [{ name: 'c' }, { name: 'd' }],
        },
      ],
      logger,
    );
    expect(merged).toEqual({
      envs: [
        { name: 'A', value: '1' },
        { name: 'B', value: '1' },
        { name: 'C', value: '3' },
      ],
      mounts: [{ hostPath: '/a', containerPath: '/x', readOnly: true }],
      devices: [],
      annotations: { k: 'v' },
      cdiDevices: ['c', 'd'],
    });
    expect(logger.messages('error')).toEqual([
      'Environment variable has conflicting setting',
      'Container mount has conflicting mapping host mounts',
    ]);
  });
});
