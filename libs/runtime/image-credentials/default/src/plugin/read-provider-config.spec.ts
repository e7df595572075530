import { createHash } from 'node:crypto';
import { chmod, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { readProviderConfig, type ReadProviderConfig } from './read-provider-config.js';

const v1 = 'credentialprovider.kubelet.k8s.io/v1';
const good = { name: 'one', matchImages: ['quay.io'], defaultCacheDuration: '10m', apiVersion: v1 };
const token = { serviceAccountTokenAudience: 'aud', cacheType: 'Token', requireServiceAccount: true };
const config = (providers: readonly object[], version = 'v1'): object => ({
  apiVersion: `kubelet.config.k8s.io/${version}`,
  kind: 'CredentialProviderConfig',
  providers,
});

describe('readProviderConfig', () => {
  let dir: string;
  beforeEach(async () => {
    dir = await mkdtemp(path.join(tmpdir(), 'providers-'));
    await mkdir(path.join(dir, 'bin/folder'), { recursive: true });
    for (const name of ['one', 'two', 'plain']) await writeFile(path.join(dir, 'bin', name), '');
    for (const name of ['one', 'two']) await chmod(path.join(dir, 'bin', name), 0o755);
  });
  afterEach(() => rm(dir, { recursive: true }));

  const write = async (file: string, content: unknown): Promise<void> => {
    await mkdir(path.dirname(path.join(dir, file)), { recursive: true });
    await writeFile(path.join(dir, file), typeof content === 'string' ? content : JSON.stringify(content));
  };
  const read = (configPath: string, serviceAccountTokens = true, bin = 'bin'): Promise<ReadProviderConfig> =>
    readProviderConfig({ configPath: path.join(dir, configPath), binDir: path.join(dir, bin), serviceAccountTokens });

  it.each(['v1', 'v1beta1', 'v1alpha1'])('reads one file of version %s', async (version) => {
    const more = { args: ['-x'], env: [{ name: 'A', value: 'b' }] };
    await write('c.json', config([{ ...good, ...more }], version));
    const { providers, hash } = await read('c.json');
    expect(providers).toEqual([
      { name: 'one', matchImages: ['quay.io'], defaultCacheDurationMs: 600_000, apiVersion: v1, ...more },
    ]);
    expect(hash).toMatch(/^sha256:[0-9a-f]{64}$/);
  });

  it('reads the files of a folder in the order of their names, and hashes them with their lengths', async () => {
    await write(
      'd/b.yml',
      `apiVersion: kubelet.config.k8s.io/v1\nkind: CredentialProviderConfig\nproviders:\n- ${JSON.stringify({ ...good, name: 'two' })}\n`,
    );
    await write('d/a.json', config([{ ...good, tokenAttributes: token }]));
    await write('d/notes.txt', 'nothing');
    await write('d/deep/c.yaml', 'nothing');
    const { providers, hash } = await read('d');
    expect(providers.map(({ name }) => name)).toEqual(['one', 'two']);
    expect(providers[0]?.tokenAttributes).toEqual({
      ...token,
      requiredServiceAccountAnnotationKeys: [],
      optionalServiceAccountAnnotationKeys: [],
    });
    const { readFile } = await import('node:fs/promises');
    const expected = createHash('sha256');
    for (const file of ['d/a.json', 'd/b.yml']) {
      const content = await readFile(path.join(dir, file));
      const length = Buffer.alloc(8);
      length.writeUInt32BE(content.length, 4);
      expected.update(length).update(content);
    }
    expect(hash).toBe(`sha256:${expected.digest('hex')}`);
  });

  it.each<[string, unknown, string]>([
    ['another kind', { ...config([]), kind: 'Pod' }, 'c.json": kind: expected CredentialProviderConfig, got "Pod"'],
    ['another version', config([], 'v2'), 'c.json": apiVersion: expected one of kubelet.config.k8s.io/v1, '],
    ['no object', '[]', 'c.json": expected an object of kind CredentialProviderConfig'],
    ['no YAML', '{', 'c.json": '],
    ['an unknown field', config([{ ...good, matchImage: 'x' }]), 'c.json": providers[0].matchImage: unknown field'],
    [
      'a field of v1 in v1beta1',
      config([{ ...good, tokenAttributes: token }], 'v1beta1'),
      'c.json": providers[0].tokenAttributes: unknown field',
    ],
    [
      'a duration without a unit',
      config([{ ...good, defaultCacheDuration: '5' }]),
      'c.json": providers[0].defaultCacheDuration: time: missing unit in duration "5"',
    ],
    ['a number for a name', config([{ ...good, name: 5 }]), 'c.json": providers[0].name: expected string, got 5'],
    ['no providers', config([]), 'c.json: providers: Required value: at least 1 item in plugins is required'],
    [
      'a name with a slash',
      config([{ ...good, name: '../one' }]),
      `c.json: providers[0].name: Invalid value: "../one": provider name cannot contain '/'`,
    ],
    [
      'a name with a space',
      config([{ ...good, name: 'o ne' }]),
      `providers[0].name: Invalid value: "o ne": provider name cannot contain spaces`,
    ],
    [
      'a name that is a folder',
      config([{ ...good, name: '..' }]),
      `providers[0].name: Invalid value: "..": provider name cannot be '..'`,
    ],
    ['the same name twice', config([good, good]), 'duplicate provider name "one" found in configuration file(s)'],
    ['no version', config([{ ...good, apiVersion: '' }]), 'providers[0].apiVersion: Required value'],
    [
      'an unknown version',
      config([{ ...good, apiVersion: 'v7' }]),
      `providers[0].apiVersion: Unsupported value: "v7": supported values: "${v1}", "${v1}alpha1", "${v1}beta1"`,
    ],
    [
      'no images',
      config([{ ...good, matchImages: [] }]),
      'providers[0].matchImages: Required value: at least 1 item in matchImages is required',
    ],
    [
      'a bad image',
      config([{ ...good, matchImages: ['a', 'b:c'] }]),
      'providers[0].matchImages[1]: Invalid value: "b:c": match image is invalid: parse "https://b:c": invalid port ":c" after host',
    ],
    [
      'no duration',
      config([{ ...good, defaultCacheDuration: null }]),
      'providers[0].defaultCacheDuration: Required value',
    ],
    [
      'a negative duration',
      config([{ ...good, defaultCacheDuration: '-5s' }]),
      'providers[0].defaultCacheDuration: Invalid value: "-5s": must be greater than or equal to 0',
    ],
    [
      'tokens without all of it',
      config([{ ...good, tokenAttributes: {} }]),
      'providers[0].tokenAttributes.serviceAccountTokenAudience: Required value, ',
    ],
    [
      'tokens without a cache type',
      config([{ ...good, tokenAttributes: { ...token, cacheType: '' } }]),
      'providers[0].tokenAttributes.cacheType: Required value: cacheType is required to be set when tokenAttributes is specified. Supported values are: ServiceAccount, Token',
    ],
    [
      'tokens of another protocol',
      config([{ ...good, apiVersion: `${v1}beta1`, tokenAttributes: token }]),
      `providers[0].tokenAttributes: Forbidden: tokenAttributes is only supported for ${v1} API version`,
    ],
    [
      'required annotations of no account',
      config([
        {
          ...good,
          tokenAttributes: { ...token, requireServiceAccount: false, requiredServiceAccountAnnotationKeys: ['a'] },
        },
      ]),
      'providers[0].tokenAttributes.requiredServiceAccountAnnotationKeys: Forbidden: requireServiceAccount cannot be false',
    ],
    [
      'annotations of both kinds',
      config([
        {
          ...good,
          tokenAttributes: {
            ...token,
            requiredServiceAccountAnnotationKeys: ['a'],
            optionalServiceAccountAnnotationKeys: ['a'],
          },
        },
      ]),
      'providers[0].tokenAttributes: Invalid value: ["a"]: annotation keys cannot be both required and optional',
    ],
    [
      'annotations that are none',
      config([{ ...good, tokenAttributes: { ...token, optionalServiceAccountAnnotationKeys: ['-', 'b', 'b'] } }]),
      'optionalServiceAccountAnnotationKeys[2]: Duplicate value: "b"',
    ],
    ['a program that is missing', config([{ ...good, name: 'gone' }]), 'bin/gone did not exist'],
    ['a program that may not be run', config([{ ...good, name: 'plain' }]), 'error inspecting binary executable '],
    ['a folder for a program', config([{ ...good, name: 'folder' }]), 'bin/folder: is a directory'],
  ])('refuses %s', async (_what, content, message) => {
    await write('c.json', content);
    await expect(read('c.json')).rejects.toMatchObject({
      code: 'invalid-argument',
      message: expect.stringContaining(message),
    });
  });

  it('refuses tokens without their gate', async () => {
    await write('c.json', config([{ ...good, tokenAttributes: token }]));
    const gate = 'KubeletServiceAccountTokenForCredentialProviders feature gate is disabled';
    await expect(read('c.json', false)).rejects.toThrow(
      `c.json: providers[0].tokenAttributes: Forbidden: tokenAttributes is not supported when ${gate}`,
    );
  });

  it.each([
    ['nowhere', 'bin', 'unable to access path '],
    ['bin/folder', 'bin', 'no configuration files found in directory '],
    ['c.json', 'nowhere', 'nowhere did not exist'],
  ])('refuses the places %s and %s', async (configPath, bin, message) => {
    await expect(read(configPath, true, bin)).rejects.toThrow(message);
  });
});
