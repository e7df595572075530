import { expect, it } from '@jest/globals';
import { Reader } from './reader.js';
import { Writer } from './writer.js';

function read(entries: readonly (readonly [string, string])[]): Record<string, string> {
  const writer = new Writer();
  for (const [key, value] of entries) {
    const at = writer.open(10);
    writer.string(10, key);
    writer.string(18, value);
    writer.close(at);
  }
  const bytes = writer.finish();
  const reader = new Reader(bytes);
  const map: Record<string, string> = {};
  expect(reader.tag()).toBe(10);
  reader.stringMap(10, bytes.length, map);
  return map;
}

it.each([5, 64, 65, 500])('a map of %d entries is sorted, and the last of two equal keys counts', (count) => {
  const entries = Array.from({ length: count }, (_, index) => [`k${count - (index >> 1)}`, String(index)] as const);
  const map = read(entries);
  expect(Object.keys(map)).toEqual([...new Set(entries.map(([key]) => key))].sort());
  expect(map).toEqual(Object.fromEntries(entries));
});
