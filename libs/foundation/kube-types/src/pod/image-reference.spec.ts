import { describe, expect, it } from '@jest/globals';
import { parseImageReference } from './image-reference.js';

const sha = 'a'.repeat(64);

describe('image references', () => {
  it.each([
    ['nginx', 'docker.io/library/nginx', 'latest', ''],
    ['nginx:1.25', 'docker.io/library/nginx', '1.25', ''],
    ['a/b', 'docker.io/a/b', 'latest', ''],
    ['index.docker.io/a', 'docker.io/library/a', 'latest', ''],
    ['registry.example/a/b:v1', 'registry.example/a/b', 'v1', ''],
    ['registry.example/team/a_one__two--three.x:V1.2-3', 'registry.example/team/a_one__two--three.x', 'V1.2-3', ''],
    ['Registry.example/a', 'Registry.example/a', 'latest', ''],
    ['REGISTRY/a', 'REGISTRY/a', 'latest', ''],
    ['localhost/a', 'localhost/a', 'latest', ''],
    ['127.0.0.1:5000/a', '127.0.0.1:5000/a', 'latest', ''],
    ['[::1]:5000/a:t', '[::1]:5000/a', 't', ''],
    [`a@sha256:${sha}`, 'docker.io/library/a', '', `sha256:${sha}`],
    [`a:1@sha256:${sha}`, 'docker.io/library/a', '1', `sha256:${sha}`],
  ])('takes %s', (image, repository, tag, digest) => {
    expect(parseImageReference(image)).toEqual({ repository, tag, digest });
  });

  it.each([
    ['A', 'invalid reference format: repository name (library/A) must be lowercase'],
    ['registry.example/Team/a', 'invalid reference format: repository name (Team/a) must be lowercase'],
    ['', 'invalid reference format'],
    ['a:', 'invalid reference format'],
    [':a', 'invalid reference format'],
    ['a b', 'invalid reference format'],
    ['a//b', 'invalid reference format'],
    ['a:b:c', 'invalid reference format'],
    ['http://registry.example/a', 'invalid reference format'],
    ['a@sha256:abc', 'invalid reference format'],
    [`a:${'t'.repeat(129)}`, 'invalid reference format'],
    [`a@sha256:${'a'.repeat(40)}`, 'invalid checksum digest length'],
    [`a@sha256:${'A'.repeat(64)}`, 'invalid checksum digest format'],
    [`a@md5:${'a'.repeat(32)}`, 'unsupported digest algorithm'],
    [sha, `invalid repository name (${sha}), cannot specify 64-byte hexadecimal strings`],
    ['n'.repeat(260), 'repository name must not be more than 255 characters'],
  ])('refuses %s', (image, fault) => {
    expect(parseImageReference(image)).toEqual({ fault });
  });

  it('is quick with hostile names', () => {
    const fault = 'invalid reference format';
    expect(parseImageReference(`${'a-'.repeat(50_000)}!`)).toEqual({ fault });
    expect(parseImageReference(`${'a.'.repeat(50_000)}!/x`)).toEqual({ fault });
  });
});
