import { expect, it } from '@jest/globals';
import { VirtualClock } from '@podwright/time';
import { AnchorCache } from './anchor-cache.js';

it('keeps what was used last, and forgets what a bundle went into', () => {
  const cache = new AnchorCache(new VirtualClock(), 3);
  cache.add({ name: 'one' }, '1');
  cache.add({ name: 'two' }, '2');
  cache.add({ signerName: 's', selector: '' }, 's');
  expect(cache.get({ name: 'one' })).toBe('1');
  cache.add({ signerName: 't', selector: '' }, 't');
  expect(cache.get({ name: 'two' })).toBeUndefined();
  cache.drop('other', '');
  expect(cache.get({ signerName: 's', selector: '' })).toBe('s');
  cache.drop('one', 's');
  expect([cache.get({ name: 'one' }), cache.get({ signerName: 's', selector: '' })]).toEqual([undefined, undefined]);
  expect(cache.get({ signerName: 't', selector: '' })).toBe('t');
});
