import { describe, expect, it } from '@jest/globals';
import type { Secret } from '@podwright/kube-types';
import { dockerConfigOf, type DockerConfig } from './docker-config.js';
import { DockerKeyring } from './docker-keyring.js';

const base64 = (text: string): string => Buffer.from(text).toString('base64');
const json = (content: unknown): Secret => ({
  metadata: { namespace: 'prod', name: 'pull' },
  type: 'kubernetes.io/dockerconfigjson',
  data: { '.dockerconfigjson': base64(typeof content === 'string' ? content : JSON.stringify(content)) },
});
const credentials = (username: string, password = 'p'): { username: string; password: string } => ({
  username,
  password,
});

describe('dockerConfigOf', () => {
  it.each<[string, Secret, DockerConfig]>([
    ['dockerconfigjson', json({ auths: { 'quay.io': credentials('u') } }), [['quay.io', credentials('u')]]],
    [
      'dockercfg',
      {
        type: 'kubernetes.io/dockercfg',
        data: { '.dockercfg': base64('{"quay.io":{"username":"u","password":"p"}}') },
      },
      [['quay.io', credentials('u')]],
    ],
    [
      'auth, with a colon in the password',
      json({ auths: { a: { auth: base64('u:p:q'), username: 'x' } } }),
      [['a', credentials('u', 'p:q')]],
    ],
    [
      'auth without padding',
      json({ auths: { a: { auth: base64('u:p').replace(/=+$/, '') } } }),
      [['a', credentials('u')]],
    ],
    ['no credentials', json({ auths: { a: {} } }), [['a', credentials('', '')]]],
    ['no auths', json({}), []],
    ['another type', { ...json({ auths: {} }), type: 'Opaque' }, []],
    ['the key of the other type', { ...json({ auths: {} }), type: 'kubernetes.io/dockercfg' }, []],
    ['nothing in it', json(''), []],
    ['no data', { type: 'kubernetes.io/dockercfg' }, []],
  ])('%s', (_what, secret, expected) => {
    expect(dockerConfigOf(secret)).toEqual(expected);
  });

  it.each([
    ['hunter2', 'it is no JSON'],
    ['[]', 'it is no object'],
    [{ auths: ['hunter2'] }, 'auths is no object'],
    [{ auths: { a: 'hunter2' } }, 'an entry is no object'],
    [{ auths: { a: { username: 1 } } }, 'username, password or auth is no string'],
    [{ auths: { a: { auth: base64('hunter2') } } }, 'unable to parse auth field'],
  ])('tells what is wrong, but not the secret: %j', (content, why) => {
    expect(() => dockerConfigOf(json(content))).toThrow(`pull secret "prod/pull" is no docker configuration: ${why}`);
    expect(() => dockerConfigOf(json(content))).not.toThrow('hunter2');
  });
});

describe('DockerKeyring', () => {
  const users = (registries: readonly string[], repository: string): readonly string[] =>
    new DockerKeyring([registries.map((registry) => [registry, credentials(registry)])])
      .lookUp(repository)
      .map(({ username }) => username);

  it.each([
    // registry of the secret, image, whether it is for it
    ['quay.io', 'quay.io/team/app', true],
    ['https://quay.io', 'quay.io/team/app', true],
    ['http://quay.io/', 'quay.io/team/app', true],
    ['https://quay.io/v1/', 'quay.io/team/app', true],
    ['https://quay.io/v2/', 'quay.io/team/app', true],
    ['https://quay.io/v2', 'quay.io/team/app', false],
    ['quay.io/team', 'quay.io/team/app', true],
    ['quay.io/team/app', 'quay.io/team/app', true],
    ['quay.io/te', 'quay.io/team/app', true],
    ['quay.io/other', 'quay.io/team/app', false],
    ['quay.io', 'other.io/app', false],
    ['quay.io', 'a.quay.io/app', false],
    ['*.quay.io', 'a.quay.io/app', true],
    ['*.quay.io', 'a.b.quay.io/app', false],
    ['a*.quay.io', 'abc.quay.io/app', true],
    ['*.io', 'quay.io/app', true],
    ['q*a*.io', 'quaya.io/app', true],
    ['q?ay.io', 'quay.io/app', true],
    ['q*b.io', 'quay.io/app', false],
    ['*', 'quay.io/app', false],
    [`${'*a'.repeat(30)}b.io`, `${'a'.repeat(63)}.io/app`, false],
    ['quay.io:5000', 'quay.io:5000/app', true],
    ['quay.io', 'quay.io:5000/app', false],
    ['quay.io:5000', 'quay.io/app', false],
    ['https://index.docker.io/v1/', 'docker.io/library/busybox', true],
    ['index.docker.io', 'docker.io/team/app', true],
    ['docker.io', 'docker.io/team/app', true],
    ['https://index.docker.io/v1/', 'quay.io/app', false],
    ['', 'quay.io/app', false],
    ['/path', 'quay.io/app', false],
  ])('%j is for %j: %s', (registry, repository, expected) => {
    expect(users([registry], repository).length > 0).toBe(expected);
  });

  it('gives the most specific first', () => {
    expect(users(['quay.io', 'quay.io/team/app', 'quay.io/team', '*.io'], 'quay.io/team/app')).toEqual([
      'quay.io/team/app',
      'quay.io/team',
      'quay.io',
      '*.io',
    ]);
  });

  it('gives those of several secrets for one registry in their order', () => {
    const one: DockerConfig = [['quay.io', credentials('one')]];
    const two: DockerConfig = [['https://quay.io', credentials('two')]];
    const found = new DockerKeyring([one, two]).lookUp('quay.io/app');
    expect(found.map(({ username }) => username)).toEqual(['one', 'two']);
  });
});
