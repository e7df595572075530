import { describe, expect, it } from '@jest/globals';
import type { Image } from '@podwright/cri-client-interface';
import { diskUsage } from './disk-usage.js';
import { formatSize } from './format-size.js';
import { imageKey } from './image-key.js';
import { ImageRecords } from './image-records.js';

describe('disk usage in whole numbers, as upstream counts', () => {
  const thresholds = { highThresholdPercent: 85, lowThresholdPercent: 80 };
  it.each([
    // capacity, available, usage in percent, to free
    [1000, 160, 84, undefined],
    [1000, 151, 85, 49n], // 15.1 % is 15 %
    [1000, 150, 85, 50n],
    [1000, 0, 100, 200n],
    [1000, 2000, 0, undefined], // more than there is
    [999, 0, 100, 199n],
    [2 ** 50, 2 ** 47, 88, 84442493013196n], // exact above 2^53 hundredths
  ])('%d bytes with %d available are %d %% used, %s to free', (capacityBytes, availableBytes, percent, toFree) => {
    expect(diskUsage({ capacityBytes, availableBytes }, thresholds)).toMatchObject({
      usagePercent: percent,
      bytesToFree: toFree,
    });
  });

  it('knows none without a capacity', () => {
    expect(diskUsage({ availableBytes: 5 }, thresholds)).toBeUndefined();
    expect(diskUsage({ capacityBytes: 0, availableBytes: 0 }, thresholds)).toBeUndefined();
  });

  it('begins at 0 percent with a high threshold of 0', () => {
    expect(
      diskUsage({ capacityBytes: 100, availableBytes: 100 }, { highThresholdPercent: 0, lowThresholdPercent: 0 }),
    ).toMatchObject({ usagePercent: 0, bytesToFree: 0n });
  });
});

it.each([
  [0n, '0 B'],
  [1023n, '1023 B'],
  [1024n, '1.0 KiB'],
  [1280n, '1.2 KiB'], // Go rounds half to even
  [1792n, '1.8 KiB'],
  [104857600n, '100.0 MiB'],
  [1610612736n, '1.5 GiB'],
  [5497558138880n, '5.0 TiB'],
])('%d bytes are %s', (bytes, text) => {
  expect(formatSize(bytes)).toBe(text);
});

it.each([
  ['', false, 'id'],
  ['', true, 'id'],
  ['kata', false, 'id'],
  ['kata', true, 'id,kata'],
])('an image for handler "%s" with the gate %s is kept as %s', (runtimeHandler, gate, key) => {
  expect(imageKey({ id: 'id', runtimeHandler }, gate)).toBe(key);
});

describe('ImageRecords', () => {
  const image = (id: string, fields: Partial<Image> = {}): Image =>
    ({ id, size: 1n, pinned: false, ...fields }) as Image;
  const order = (records: ImageRecords, ...inUse: string[]): string[] =>
    records.inEvictionOrder(new Set(inUse)).map(({ key }) => key);

  it('puts those never used before those used longest ago, and among equals those detected first', () => {
    const records = new ImageRecords(false);
    records.observe([image('a'), image('b')], new Set(['b']), 0, 1);
    records.observe([image('a'), image('b'), image('c'), image('d')], new Set(['c']), 10, 11);
    records.observe([image('a'), image('b'), image('c'), image('d')], new Set(), 20, 21);
    expect(order(records)).toEqual(['a', 'd', 'b', 'c']);
  });

  it('leaves out those in use, pinned ones and those without an id', () => {
    const records = new ImageRecords(false);
    records.observe([image('a'), image('p', { pinned: true }), image('')], new Set(), 0, 0);
    expect(order(records, 'a')).toEqual([]);
    records.observe([image('a'), image('p')], new Set(), 1, 1);
    expect(order(records)).toEqual(['a', 'p']);
  });

  it('forgets what is gone: when it is back it is new', () => {
    const records = new ImageRecords(false);
    records.observe([image('a')], new Set(['a']), 0, 0);
    records.observe([], new Set(), 1, 1);
    expect(records.size).toBe(0);
    records.observe([image('a')], new Set(), 2, 2);
    expect(records.inEvictionOrder(new Set())).toMatchObject([{ firstDetectedAt: 2, lastUsedAt: -Infinity }]);
  });

  it('keeps one record per handler with the gate', () => {
    const records = new ImageRecords(true);
    const spec = { image: 'a', imageRef: '', userSpecifiedImage: '', runtimeHandler: 'kata', annotations: {} };
    records.observe([image('a'), image('a', { spec })], new Set(['a,kata']), 0, 0);
    expect(order(records, 'a,kata')).toEqual(['a']);
    expect(order(records, 'a')).toEqual(['a,kata']);
  });
});
