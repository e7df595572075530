import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { kubeletProgramFlags } from '@podwright/kubelet-configuration';
import { loadConfiguration, type LoadedConfiguration } from './load-configuration.js';
import { version } from './version.js';

describe('the configuration', () => {
  let dir: string;
  beforeEach(async () => {
    dir = await mkdtemp(path.join(tmpdir(), 'podwright-config-'));
  });
  afterEach(() => rm(dir, { recursive: true, force: true }));

  const head = 'apiVersion: kubelet.config.k8s.io/v1beta1\nkind: KubeletConfiguration\n';
  async function load(text: string, ...argv: readonly string[]): Promise<LoadedConfiguration> {
    const file = path.join(dir, 'config.yaml');
    await writeFile(file, `${head}failCgroupV1: false\n${text}`);
    const loaded = await loadConfiguration(['--config', file, ...argv], kubeletProgramFlags);
    if ('answer' in loaded) throw new Error('an answer instead of a configuration');
    return loaded;
  }

  it('takes flags before drop-ins before the file before defaults', async () => {
    await mkdir(path.join(dir, 'conf.d'));
    await writeFile(path.join(dir, 'conf.d/10.conf'), `${head}syncFrequency: 40s\nfileCheckFrequency: 41s\n`);
    const { configuration } = await load(
      'syncFrequency: 30s\nfileCheckFrequency: 31s\nhttpCheckFrequency: 32s\n',
      '--config-dir',
      path.join(dir, 'conf.d'),
      '--sync-frequency=50s',
    );
    const { syncFrequency, fileCheckFrequency, httpCheckFrequency, maxPods } = configuration;
    expect([syncFrequency, fileCheckFrequency, httpCheckFrequency, maxPods]).toEqual(['50s', '41s', '32s', 110]);
  });

  it('warns of each field that has no effect', async () => {
    const { warnings } = await load('contentType: application/json\niptablesDropBit: 12\nsyncFrequency: 30s\n');
    const obsolete = 'obsolete: v1.36 checks the value and does not use it; the kubelet makes no such rules any more';
    expect(warnings.filter((line) => line.includes('has no effect'))).toEqual([
      `KubeletConfiguration field iptablesDropBit has no effect: ${obsolete}`,
    ]);
  });

  it('answers a question instead', async () => {
    const flags = [`--version=${version}-custom`, '--version'];
    expect(await loadConfiguration(flags, kubeletProgramFlags)).toEqual({ answer: `Kubernetes ${version}-custom\n` });
  });

  it('may be looked at on a machine that it does not suit', async () => {
    const file = path.join(dir, 'config.yaml');
    await writeFile(file, `${head}failCgroupV1: true\nsingleProcessOOMKill: false\n`);
    const loaded = await loadConfiguration(['--config', file], kubeletProgramFlags, { anyMachine: true });
    expect('configuration' in loaded && loaded.configuration.failCgroupV1).toBe(true);
  });
});
