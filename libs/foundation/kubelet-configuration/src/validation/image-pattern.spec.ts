import { describe, expect, it } from '@jest/globals';
import { checkImagePattern } from './image-pattern.js';

describe('checkImagePattern', () => {
  it.each([
    'busybox',
    'quay.io/a/b',
    'localhost:5000/a',
    'quay.io/*',
    'localhost:5000/*',
    'Quay.io/Team/*',
    'a:1/*',
    'a//*',
  ])('takes %s', (pattern) => {
    expect(() => checkImagePattern(pattern)).not.toThrow();
  });

  const wildcard = "not a valid wildcard pattern, only patterns ending with '/*' are allowed";
  it.each([
    [' a', 'leading/trailing spaces are not allowed:  a'],
    ['', 'the supplied pattern is too short: '],
    ['*', `${wildcard}: *`],
    ['a/*/b', `${wildcard}: a/*/b`],
    ['a/*/*', `${wildcard}: a/*/*`],
    ['quay.io/a*', `${wildcard}: quay.io/a*`],
    ['/*', 'at least registry hostname is required'],
    ['a b', 'failed to parse as an image name: invalid reference format'],
    ['a:1', 'neither tag nor digest is accepted in an image reference: a:1'],
    [
      `quay.io/a@sha256:${'0'.repeat(64)}`,
      `neither tag nor digest is accepted in an image reference: quay.io/a@sha256:${'0'.repeat(64)}`,
    ],
  ])('refuses %j', (pattern, message) => {
    expect(() => checkImagePattern(pattern)).toThrow(new Error(message));
  });
});
