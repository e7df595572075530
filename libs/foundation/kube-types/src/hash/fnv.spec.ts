import { describe, expect, it } from '@jest/globals';
import { fnv1a128, fnv1a32 } from './fnv.js';

it('fnv1a32 gives the published values', () => {
  expect([fnv1a32(''), fnv1a32('foobar')]).toEqual([0x811c9dc5, 0xbf9cf968]);
  expect(fnv1a32(Buffer.from('foobar'))).toBe(0xbf9cf968);
});

describe('fnv1a128', () => {
  it.each([
    ['', '6c62272e07bb014262b821756295c58d'],
    ['a', 'd228cb696f1a8caf78912b704e4a8964'],
    ['foobar', '343e1662793c64bf6f0d3597ba446f18'],
  ])('%j', (text, digest) => {
    expect(fnv1a128(Buffer.from(text))).toBe(digest);
  });

  it('equals the textbook product for any bytes', () => {
    const bytes = Buffer.from(Array.from({ length: 300 }, (_, index) => (index * 97) & 0xff));
    let hash = 0x6c62272e07bb014262b821756295c58dn;
    for (const byte of bytes) hash = BigInt.asUintN(128, (hash ^ BigInt(byte)) * (2n ** 88n + 0x13bn));
    expect(fnv1a128(bytes)).toBe(hash.toString(16).padStart(32, '0'));
  });
});
