import { describe, expect, it } from '@jest/globals';
import { withDefaultTag } from './default-tag.js';

describe('withDefaultTag', () => {
  it('adds the tag to a name without one and changes nothing else', () => {
    expect(withDefaultTag('busybox')).toBe('busybox:latest');
    expect(withDefaultTag('localhost:5000/app')).toBe('localhost:5000/app:latest');
    expect(withDefaultTag('busybox:1')).toBe('busybox:1');
    expect(withDefaultTag(`busybox@sha256:${'a'.repeat(64)}`)).toBe(`busybox@sha256:${'a'.repeat(64)}`);
    expect(() => withDefaultTag('a b')).toThrow('couldn\'t parse image name "a b": invalid reference format');
  });
});
