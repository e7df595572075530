import { chmod, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type { Pod, Secret } from '@podwright/kube-types';
import { createMemoryLogger } from '@podwright/logging';
import { createMetricsRegistry } from '@podwright/metrics';
import { VirtualClock } from '@podwright/time';
import { createKeyringImageCredentials } from './keyring-image-credentials.module.js';

const pod: Pod = { metadata: { namespace: 'prod', name: 'web', uid: 'u' }, spec: { containers: [] } };
const apiVersion = 'credentialprovider.kubelet.k8s.io/v1';
const secret: Secret = {
  type: 'kubernetes.io/dockercfg',
  data: { '.dockercfg': Buffer.from('{"quay.io":{"username":"secret","password":"p"}}').toString('base64') },
};

describe('KeyringImageCredentials', () => {
  let dir: string;
  beforeEach(async () => {
    dir = await mkdtemp(path.join(tmpdir(), 'keyring-'));
    await mkdir(path.join(dir, 'bin'));
  });
  afterEach(() => rm(dir, { recursive: true }));

  async function setUp(plugins: Readonly<Record<string, string>>) {
    for (const [name, script] of Object.entries(plugins)) {
      await writeFile(path.join(dir, 'bin', name), `#!/bin/sh\n${script}\n`);
      await chmod(path.join(dir, 'bin', name), 0o755);
    }
    const providers = Object.keys(plugins).map((name) => ({
      ...{ name, apiVersion, matchImages: ['quay.io'], defaultCacheDuration: '1m' },
    }));
    const type = { apiVersion: 'kubelet.config.k8s.io/v1', kind: 'CredentialProviderConfig' };
    await writeFile(path.join(dir, 'c.json'), JSON.stringify({ ...type, providers }));
    const deps = { clock: new VirtualClock(), logger: createMemoryLogger(), metrics: createMetricsRegistry() };
    const options = { rootDir: dir, providerConfig: path.join(dir, 'c.json'), providerBinDir: path.join(dir, 'bin') };
    return { ...deps, credentials: createKeyringImageCredentials(deps, options) };
  }
  const says = (user: string): string =>
    `cat > /dev/null; echo '${JSON.stringify({
      ...{ apiVersion, kind: 'CredentialProviderResponse', cacheKeyType: 'Image' },
      auth: { 'quay.io': { username: user, password: 'p' } },
    })}'`;

  it('gives those of secrets, then of the node, then of plugins in their order', async () => {
    await writeFile(path.join(dir, 'config.json'), '{"auths":{"quay.io":{"username":"node","password":"p"}}}');
    const { credentials, metrics } = await setUp({ one: says('one'), two: says('two') });
    await credentials.start();
    const found = await credentials.lookup({ image: 'quay.io/app:1', pod, pullSecrets: [secret] });
    expect(found.map(({ auth }) => auth.username)).toEqual(['secret', 'node', 'one', 'two']);
    expect(found.slice(1).map(({ source, hash }) => [source.kind, hash])).toEqual(Array(3).fill(['node', '']));
    expect(await metrics.render()).toMatch(/kubelet_credential_provider_config_info\{hash="sha256:[0-9a-f]{64}"\} 1/);
    await credentials.stop();
  });

  it('logs a plugin that fails, without credentials, and goes on', async () => {
    const { credentials, logger } = await setUp({ bad: 'echo \'{"hunter2":1}\'', good: says('good') });
    await credentials.start();
    const found = await credentials.lookup({ image: 'quay.io/app:1', pod, pullSecrets: [] });
    expect(found.map(({ auth }) => auth.username)).toEqual(['good']);
    const [entry] = logger.entries.filter(({ severity }) => severity === 'error');
    expect(entry).toMatchObject({
      message: 'Failed to provide credentials for image',
      fields: { provider: 'bad', image: 'quay.io/app' },
    });
    expect(JSON.stringify(logger.entries)).not.toContain('hunter2');
  });

  it.each([
    [{ providerConfig: '' }, 'credential provider config path is empty'],
    [{ providerBinDir: '' }, 'plugin binary directory  did not exist'],
  ])('does not start with half of the flags: %j', async (options, message) => {
    const deps = { clock: new VirtualClock(), logger: createMemoryLogger(), metrics: createMetricsRegistry() };
    const both = { rootDir: dir, providerConfig: dir, providerBinDir: dir };
    await expect(createKeyringImageCredentials(deps, { ...both, ...options }).start()).rejects.toThrow(message);
  });
});
