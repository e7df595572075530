import { createHash } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import type { Secret } from '@podwright/kube-types';
import { credentialHash } from './credential-hash.js';
import { parseDockerConfig, type DockerConfig, type DockerConfigEntry } from './docker-config.js';
import { pullSecretConfig } from './pull-secret-config.js';

const base64 = (text: string): string => Buffer.from(text).toString('base64');
const json = (content: unknown): Secret => ({
  metadata: { namespace: 'prod', name: 'pull' },
  type: 'kubernetes.io/dockerconfigjson',
  data: { '.dockerconfigjson': base64(typeof content === 'string' ? content : JSON.stringify(content)) },
});
const entry = (username: string, password = 'p', email = ''): DockerConfigEntry => ({ username, password, email });

describe('pullSecretConfig', () => {
  it.each<[string, Secret, DockerConfig]>([
    ['dockerconfigjson', json({ auths: { 'quay.io': entry('u') } }), [['quay.io', entry('u')]]],
    [
      'dockercfg',
      {
        type: 'kubernetes.io/dockercfg',
        data: { '.dockercfg': base64('{"quay.io":{"username":"u","password":"p","email":"u@x"}}') },
      },
      [['quay.io', entry('u', 'p', 'u@x')]],
    ],
    [
      'auth, with a colon in the password',
      json({ auths: { a: { auth: base64('u:p:q'), username: 'x' } } }),
      [['a', entry('u', 'p:q')]],
    ],
    ['auth without padding', json({ auths: { a: { auth: 'dTpw' } } }), [['a', entry('u')]]],
    ['auth over two lines', json({ auths: { a: { auth: 'dT\npw' } } }), [['a', entry('u')]]],
    ['names in other letters, as Go', json({ AUTHS: { a: { UserName: 'u', Password: 'p' } } }), [['a', entry('u')]]],
    [
      'tokens, of which nothing is taken',
      json({ auths: { a: { identitytoken: 't', registrytoken: 't' } } }),
      [['a', entry('', '')]],
    ],
    ['no credentials', json({ auths: { a: {}, b: null } }), ['a', 'b'].map((name) => [name, entry('', '')])],
    ['no auths', json({ auths: null }), []],
    ['null', json('null'), []],
    ['another type', { ...json({ auths: {} }), type: 'Opaque' }, []],
    ['the type of no one', { ...json({ auths: {} }), type: 'toString' }, []],
    ['the key of the other type', { ...json({ auths: {} }), type: 'kubernetes.io/dockercfg' }, []],
    ['nothing in it', json(''), []],
    ['no data', { type: 'kubernetes.io/dockercfg' }, []],
  ])('%s', (_what, secret, expected) => {
    expect(pullSecretConfig(secret)).toEqual(expected);
  });

  it.each([
    ['hunter2', 'it is no JSON'],
    ['[]', 'it is no object'],
    [{ auths: ['hunter2'] }, 'auths is no object'],
    [{ auths: { a: 'hunter2' } }, 'an entry is no object'],
    [{ auths: { a: { username: 1 } } }, 'username, password, email or auth is no string'],
    [{ auths: { a: { auth: base64('hunter2') } } }, 'unable to parse auth field'],
    [{ auths: { a: { auth: 'hunter2!' } } }, 'the auth field is not base64'],
    [{ auths: { a: { auth: 'dTpw=' } } }, 'the auth field is not base64'],
  ])('tells what is wrong, but not the secret: %j', (content, why) => {
    expect(() => pullSecretConfig(json(content))).toThrow(`pull secret "prod/pull" is no docker configuration: ${why}`);
    expect(() => pullSecretConfig(json(content))).not.toThrow('hunter2');
  });
});

it('names the file', () => {
  expect(() => parseDockerConfig('{', '.dockercfg', '/root/.dockercfg')).toThrow('/root/.dockercfg is no docker');
});

describe('credentialHash', () => {
  it.each([
    [entry('u'), '{"username":"u","password":"p"}'],
    [entry('', 'p', 'e'), '{"password":"p","email":"e"}'],
    [entry('', ''), '{}'],
    [entry('<u>', '&'), '{"username":"\\u003cu\\u003e","password":"\\u0026"}'],
  ])('is that of Go’s JSON: %j', (credential, marshalled) => {
    expect(credentialHash(credential)).toBe(createHash('sha256').update(marshalled).digest('hex'));
  });
});
