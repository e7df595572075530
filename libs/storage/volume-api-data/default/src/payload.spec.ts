import { describe, expect, it } from '@jest/globals';
import { cleanPath, cleanPayload } from './payload.js';

const file = { data: Buffer.from('x'), mode: 0o644 };

describe('cleanPayload', () => {
  it.each([
    ['a', 'a'],
    ['a/b', 'a/b'],
    ['a//b/./c/', 'a/b/c'],
    ['a/..b', 'a/..b'],
    ['.hidden', '.hidden'],
    ['n'.repeat(255), 'n'.repeat(255)],
  ])('takes %s', (path, clean) => {
    expect([...cleanPayload(new Map([[path, file]])).keys()]).toEqual([clean]);
  });

  it.each([
    ['', 'invalid path: must not be empty: ""'],
    ['/a', 'invalid path: must be relative path: /a'],
    ['a/'.repeat(2100), 'invalid path: must be less than or equal to 4096 characters'],
    ['a/../b', "invalid path: must not contain '..': a/../b"],
    ['..', "invalid path: must not contain '..': .."],
    [`a/${'n'.repeat(256)}`, 'invalid path: filenames must be less than or equal to 255 characters'],
    [`a/${'é'.repeat(128)}`, 'invalid path: filenames must be less than or equal to 255 characters'],
    ['..data', "invalid path: must not start with '..': ..data"],
    ['..x/a', "invalid path: must not start with '..': ..x/a"],
  ])('refuses %j', (path, message) => {
    expect(() => cleanPayload(new Map([[path, file]]))).toThrow(message);
  });

  it('cleans as Go does', () => {
    expect(['', '.', './', 'a/', '/', 'a/./b'].map(cleanPath)).toEqual(['.', '.', '.', 'a', '/', 'a/b']);
  });
});
