import { describe, expect, it } from '@jest/globals';
import { parseImageReference, withDefaultTag } from './image-reference.js';

const sha = 'a'.repeat(64);

describe('parseImageReference', () => {
  it.each([
    ['busybox', '', ''],
    ['busybox:1.36', '1.36', ''],
    ['localhost:5000/app', '', ''],
    ['localhost:5000/app:v1', 'v1', ''],
    ['registry.example.com/team/app_one__two--three.x:V1.2-3', 'V1.2-3', ''],
    [`busybox@sha256:${sha}`, '', `sha256:${sha}`],
    [`busybox:1@sha256:${sha}`, '1', `sha256:${sha}`],
    ['[2001:db8::1]:5000/app:v1', 'v1', ''],
    ['Registry.example.com/app', '', ''],
    ['REGISTRY/app', '', ''],
  ])('takes %s', (image, tag, digest) => {
    expect(parseImageReference(image)).toEqual({ tag, digest });
  });

  it.each([
    ['BusyBox', 'invalid reference format: repository name (library/BusyBox) must be lowercase'],
    ['example.com/Team/app', 'invalid reference format: repository name (Team/app) must be lowercase'],
    ['', 'invalid reference format'],
    ['busybox:', 'invalid reference format'],
    ['a b', 'invalid reference format'],
    ['http://example.com/app', 'invalid reference format'],
    ['busybox@sha256:abc', 'invalid reference format'],
    [`busybox@sha256:${'a'.repeat(40)}`, 'invalid checksum digest length'],
    [`busybox@md5:${'a'.repeat(32)}`, 'unsupported digest algorithm'],
    [`busybox:${'t'.repeat(129)}`, 'invalid reference format'],
    [sha, `invalid repository name (${sha}), cannot specify 64-byte hexadecimal strings`],
    [`${'n'.repeat(260)}`, 'repository name must not be more than 255 characters'],
  ])('refuses %s', (image, message) => {
    expect(() => parseImageReference(image)).toThrow(new Error(message));
  });

  it('is quick with hostile names', () => {
    expect(() => parseImageReference(`${'a-'.repeat(50_000)}!`)).toThrow('invalid reference format');
    expect(() => parseImageReference(`${'a.'.repeat(50_000)}!/x`)).toThrow('invalid reference format');
  });
});

describe('withDefaultTag', () => {
  it('adds the tag to a name without one and changes nothing else', () => {
    expect(withDefaultTag('busybox')).toBe('busybox:latest');
    expect(withDefaultTag('localhost:5000/app')).toBe('localhost:5000/app:latest');
    expect(withDefaultTag('busybox:1')).toBe('busybox:1');
    expect(withDefaultTag(`busybox@sha256:${sha}`)).toBe(`busybox@sha256:${sha}`);
    expect(() => withDefaultTag('a b')).toThrow('couldn\'t parse image name "a b": invalid reference format');
  });
});
