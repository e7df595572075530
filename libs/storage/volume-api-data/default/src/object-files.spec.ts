import { describe, expect, it } from '@jest/globals';
import { configMapFiles, secretFiles, type ObjectProjection } from './object-files.js';
import type { Payload } from './payload.js';

const base64 = (text: string): string => Buffer.from(text).toString('base64');
const shown = (files: Payload): unknown =>
  [...files].map(([path, { data, mode }]) => `${path} ${Buffer.from(data).toString()} ${mode.toString(8)}`);
const projection = (more: Partial<ObjectProjection> = {}): ObjectProjection => ({
  defaultMode: 0o644,
  optional: false,
  ...more,
});

describe('secretFiles', () => {
  const secret = { data: { user: base64('u'), key: base64('k') } };
  it.each<[string, Partial<ObjectProjection>, string[] | string]>([
    ['all keys', {}, ['user u 644', 'key k 644']],
    ['no items are none', { items: [] }, ['user u 644', 'key k 644']],
    ['items', { items: [{ key: 'key', path: 'a/b' }] }, ['a/b k 644']],
    ['the mode of an item', { items: [{ key: 'key', path: 'a', mode: 0o400 }], defaultMode: 0o600 }, ['a k 400']],
    ['the default mode', { defaultMode: 0o440 }, ['user u 440', 'key k 440']],
    ['a missing key', { items: [{ key: 'z', path: 'a' }] }, 'references non-existent secret key: z'],
    ['a key that may be missing', { items: [{ key: 'z', path: 'a' }], optional: true }, []],
    ['no mode', { defaultMode: undefined }, 'no defaultMode used, not even the default value for it'],
  ])('%s', (_what, more, expected) => {
    const files = (): unknown => shown(secretFiles(secret, projection(more)));
    if (typeof expected === 'string') expect(files).toThrow(expected);
    else expect(files()).toEqual(expected);
  });

  it('takes a secret without data for an empty one', () => {
    expect(shown(secretFiles({}, projection()))).toEqual([]);
  });
});

describe('configMapFiles', () => {
  const configMap = { data: { text: 'ä' }, binaryData: { raw: base64('b') } };
  it.each<[string, Partial<ObjectProjection>, string[] | string]>([
    ['all keys, those of texts first', {}, ['text ä 644', 'raw b 644']],
    [
      'items of both',
      { items: ['raw', 'text'].map((key) => ({ key, path: `x/${key}` })) },
      ['x/raw b 644', 'x/text ä 644'],
    ],
    ['a missing key', { items: [{ key: 'z', path: 'a' }] }, 'configmap references non-existent config key: z'],
    ['a key that may be missing', { items: [{ key: 'z', path: 'a' }], optional: true }, []],
    ['no mode', { defaultMode: undefined }, 'no defaultMode used, not even the default value for it'],
  ])('%s', (_what, more, expected) => {
    const files = (): unknown => shown(configMapFiles(configMap, projection(more)));
    if (typeof expected === 'string') expect(files).toThrow(expected);
    else expect(files()).toEqual(expected);
  });
});
