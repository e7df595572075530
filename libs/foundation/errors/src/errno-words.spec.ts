import { describe, expect, it } from '@jest/globals';
import { errnoWords, KubeletError } from './index.js';

describe('errnoWords', () => {
  it('has the words that Go has for an error number', () => {
    expect(
      errnoWords(Object.assign(new Error("ENOTEMPTY: directory not empty, rmdir '/a'"), { code: 'ENOTEMPTY' })),
    ).toBe('directory not empty');
    expect(errnoWords(Object.assign(new Error('EINVAL: invalid argument, write'), { code: 'EINVAL' }))).toBe(
      'invalid argument',
    );
  });

  it('has the message of every other error', () => {
    expect(errnoWords(Object.assign(new Error('odd'), { code: 'EODD' }))).toBe('odd');
    expect(errnoWords(new KubeletError('refused', { code: 'not-found' }))).toBe('refused');
    expect([errnoWords('text'), errnoWords(undefined)]).toEqual(['text', 'undefined']);
  });
});
