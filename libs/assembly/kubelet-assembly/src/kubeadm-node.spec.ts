import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { kubeletProgramFlags } from '@podwright/kubelet-configuration';
import { loadConfiguration, type LoadedConfiguration } from './load-configuration.js';

const page = path.join(__dirname, '../../../../docs/joining-a-kubeadm-cluster.md');

/** What docs/joining-a-kubeadm-cluster.md shows is what this kubelet takes. */
describe('a node that kubeadm has prepared', () => {
  let dir = '';
  let text = '';
  beforeAll(async () => {
    dir = await mkdtemp(path.join(tmpdir(), 'podwright-kubeadm-'));
    text = await readFile(page, 'utf8');
    await writeFile(path.join(dir, 'config.yaml'), block('yaml', 'kind: KubeletConfiguration'));
  });
  afterAll(() => rm(dir, { recursive: true }));

  function block(language: string, marker: string): string {
    const blocks = [...text.matchAll(/```(\w+)\n([\s\S]*?)```/g)];
    const found = blocks.find(([, name, body = '']) => name === language && body.includes(marker));
    if (found?.[2] === undefined) throw new Error(`the page has no ${language} block with ${marker}`);
    return found[2];
  }

  /** The arguments that systemd makes of the unit's last ExecStart. */
  function argumentsOfUnit(): readonly string[] {
    const dropIn = block('ini', '10-kubeadm.conf');
    const [, ofFlagsFile = ''] = /KUBELET_KUBEADM_ARGS="(.*)"/.exec(block('sh', 'KUBELET_KUBEADM_ARGS')) ?? [];
    const variables = new Map<string, string>([['KUBELET_KUBEADM_ARGS', ofFlagsFile]]);
    for (const [, name = '', value = ''] of dropIn.matchAll(/Environment="(\w+)=(.*)"/g)) variables.set(name, value);
    const [, line = ''] = /ExecStart=\/usr\/bin\/kubelet (.*)/.exec(dropIn) ?? [];
    return line.split(' ').flatMap((word) => (variables.get(word.slice(1)) ?? '').split(' ').filter(Boolean));
  }

  async function load(): Promise<LoadedConfiguration> {
    const argv = argumentsOfUnit().map((word) =>
      word.startsWith('--config=') ? `--config=${path.join(dir, 'config.yaml')}` : word,
    );
    const loaded = await loadConfiguration(argv, kubeletProgramFlags, { anyMachine: true });
    if ('answer' in loaded) throw new Error('an answer instead of a configuration');
    return loaded;
  }

  it('has flags that are taken, and explained', async () => {
    const { flags, configuration } = await load();
    expect(flags).toMatchObject({
      bootstrapKubeconfig: '/etc/kubernetes/bootstrap-kubelet.conf',
      kubeconfig: '/etc/kubernetes/kubelet.conf',
      nodeIp: '192.0.2.10',
      hostnameOverride: 'node-1',
      nodeLabels: { 'example.com/rack': '7' },
    });
    expect(configuration.registerWithTaints).toEqual([
      { key: 'example.com/warming-up', value: 'true', effect: 'NoSchedule' },
    ]);
    const used = argumentsOfUnit().map((word) => word.split('=')[0]);
    const explained = [...text.matchAll(/^\| `(--[a-z-]+)`/gm)].map(([, flag]) => flag);
    expect(explained).toEqual([...used].sort());
  });

  it('has a configuration that is read strictly, with 0s as the default', async () => {
    const { configuration } = await load();
    expect(configuration).toMatchObject({
      rotateCertificates: true,
      cgroupDriver: 'systemd',
      clusterDNS: ['10.96.0.10'],
      staticPodPath: '/etc/kubernetes/manifests',
      syncFrequency: '1m0s',
      nodeStatusUpdateFrequency: '10s',
      imageMinimumGCAge: '2m0s',
    });
  });

  it('is warned of what the page lists as not working, and of the deprecation of flags', async () => {
    const { warnings } = await load();
    expect(warnings.filter((line) => !line.includes('deprecated'))).toEqual(notYet);
  });
});

/** What kubeadm asks for and this kubelet does not do yet. */
const notYet: readonly string[] = [];
