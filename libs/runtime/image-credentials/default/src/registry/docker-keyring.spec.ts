import { describe, expect, it } from '@jest/globals';
import { DockerKeyring, type KeyringEntry } from './docker-keyring.js';
import { parseRegistryUrl } from './registry-url.js';

const entry = (registry: string, username = registry): KeyringEntry => [
  registry,
  { auth: { username }, source: { kind: 'node' }, hash: '' },
];

describe('DockerKeyring', () => {
  const users = (entries: readonly KeyringEntry[], repository: string): readonly (string | undefined)[] =>
    new DockerKeyring(entries).lookUp(repository).map(({ auth }) => auth.username);

  it.each([
    // registry of the credential, image, whether it is for it
    ['quay.io', 'quay.io/team/app', true],
    ['https://quay.io', 'quay.io/team/app', true],
    ['http://quay.io/', 'quay.io/team/app', true],
    ['https://quay.io/v1/', 'quay.io/team/app', true],
    ['https://quay.io/v2/', 'quay.io/team/app', true],
    ['https://quay.io/v2', 'quay.io/team/app', false],
    ['https://me@quay.io', 'quay.io/team/app', true],
    ['quay.io?account=me', 'quay.io/team/app', true],
    ['quay.io/team', 'quay.io/team/app', true],
    ['quay.io/team/app', 'quay.io/team/app', true],
    ['quay.io/te', 'quay.io/team/app', true],
    ['quay.io/t%65am', 'quay.io/team/app', true],
    ['quay.io/other', 'quay.io/team/app', false],
    ['quay.io', 'other.io/app', false],
    ['quay.io', 'a.quay.io/app', false],
    ['*.quay.io', 'a.quay.io/app', true],
    ['*.quay.io', 'a.b.quay.io/app', false],
    ['a*.quay.io', 'abc.quay.io/app', true],
    ['*.io', 'quay.io/app', true],
    ['q*a*.io', 'quaya.io/app', true],
    ['q[a-z]ay.io', 'quay.io/app', true],
    ['q[^u]ay.io', 'quay.io/app', false],
    ['q[xyu]ay.io', 'quay.io/app', true],
    ['q[a-]ay.io', 'quay.io/app', false],
    ['q[uay.io', 'quay.io/app', false],
    ['q*b.io', 'quay.io/app', false],
    ['*', 'quay.io/app', false],
    [`${'*a'.repeat(30)}b.io`, `${'a'.repeat(63)}.io/app`, false],
    ['quay.io:5000', 'quay.io:5000/app', true],
    ['quay.io', 'quay.io:5000/app', false],
    ['quay.io:5000', 'quay.io/app', false],
    ['[::1]:5000', '[::1]:5000/app', true],
    ['https://index.docker.io/v1/', 'docker.io/library/busybox', true],
    ['index.docker.io', 'docker.io/team/app', true],
    ['docker.io', 'docker.io/team/app', true],
    ['https://index.docker.io/v1/', 'quay.io/app', false],
    ['', 'quay.io/app', false],
    ['/path', 'quay.io/app', false],
    ['quay.io:port', 'quay.io/app', false],
  ])('%j is for %j: %s', (registry, repository, expected) => {
    expect(users([entry(registry)], repository).length > 0).toBe(expected);
  });

  it('gives the most specific first', () => {
    const registries = ['quay.io', 'quay.io/team/app', 'quay.io/team', '*.io'];
    expect(
      users(
        registries.map((registry) => entry(registry)),
        'quay.io/team/app',
      ),
    ).toEqual(['quay.io/team/app', 'quay.io/team', 'quay.io', '*.io']);
  });

  it('gives those of several sources for one registry in their order', () => {
    expect(users([entry('quay.io', 'one'), entry('https://quay.io', 'two')], 'quay.io/app')).toEqual(['one', 'two']);
  });
});

describe('parseRegistryUrl', () => {
  it.each([
    ['a:b', 'parse "https://a:b": invalid port ":b" after host'],
    ['a b', 'parse "https://a b": invalid character " " in host name'],
    ['a/%zz', 'parse "https://a/%zz": invalid URL escape'],
    ['a\u0000', 'parse "https://a\\u0000": net/url: invalid control character in URL'],
  ])('tells what is wrong with %j', (text, fault) => {
    expect(parseRegistryUrl(text)).toEqual({ fault });
  });
});
