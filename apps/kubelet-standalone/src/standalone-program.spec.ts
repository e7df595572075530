import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { runCommand } from '@podwright/kubelet-assembly';
import { defaultEvictionHard, loadKubeletConfiguration, type LoadedKubelet } from '@podwright/kubelet-configuration';
import { standaloneProgram } from './standalone-program.js';

describe('kubelet-standalone', () => {
  let out = '';
  let err = '';
  beforeEach(() => {
    out = err = '';
    jest.spyOn(process.stdout, 'write').mockImplementation((text) => ((out += String(text)), true));
    jest.spyOn(process.stderr, 'write').mockImplementation((text) => ((err += String(text)), true));
  });
  afterEach(() => void jest.restoreAllMocks());
  const run = (...argv: readonly string[]): Promise<number> => runCommand(argv, standaloneProgram);

  async function load(argv: readonly string[], file = ''): Promise<LoadedKubelet> {
    const files = { readFile: async () => file, readDirectory: async () => [] };
    const loaded = await loadKubeletConfiguration({ argv, cwd: '/', files, program: standaloneProgram });
    if ('answer' in loaded) throw new Error('an answer instead of a configuration');
    return loaded;
  }

  it('shows its own flags in its help text, and none that need a cluster', async () => {
    expect(await run('--help')).toBe(0);
    const [, own = '', others = ''] = out.split(/^Flags.*:$/m);
    expect([...own.matchAll(/--[a-z-]+/g)].map(([flag]) => flag)).toEqual(
      expect.arrayContaining(['--local-api-address', '--local-api-client-ca-file', '--objects-dir', '--socket']),
    );
    expect(others).toContain('--config string');
    expect(out).not.toMatch(/--(kubeconfig|cloud-provider|register-node|authorization-mode)\b/);
  });

  it.each([
    ['without a file', []],
    ['with one', ['--config=/c']],
  ])('opens no port %s, and evicts as the kubelet', async (_, argv) => {
    const { configuration, flags } = await load(
      argv,
      'apiVersion: kubelet.config.k8s.io/v1beta1\nkind: KubeletConfiguration\n',
    );
    const ports = { enableServer: false, readOnlyPort: 0, healthzPort: 0 };
    expect(configuration).toMatchObject({ ...ports, evictionHard: defaultEvictionHard });
    expect(flags).toMatchObject({ rootDir: '/var/lib/podwright', certDir: '/var/lib/podwright/pki', kubeconfig: '' });
  });

  it('has the modules of local pods, with the options of its flags', async () => {
    const argv = ['--hostname-override=box', '--root-dir=/r', '--objects-dir=/o', '--socket=/s'];
    expect(await run('assembly', 'print', ...argv)).toBe(0);
    expect(err).toBe('');
    const options = (module: string): unknown => {
      const section = out.split('\n\n').find((each) => each.startsWith(`${module}\n`)) ?? '';
      return JSON.parse(/ {2}options: (.*)/.exec(section)?.[1] ?? 'null');
    };
    expect(options('@podwright/local-objects')).toMatchObject({ rootDir: '/r', objectsDir: '/o' });
    expect(options('@podwright/local-api')).toMatchObject({ nodeName: 'box' });
    expect(options('@podwright/pod-config#local')).toMatchObject({ nodeName: 'box' });
    expect(options('@podwright/server')).toMatchObject({ enabled: false, localSocket: '/s', localAddress: '' });
    expect(out).not.toMatch(/^@podwright\/(cert-rotation|server-auth|iptables)/m);
  });

  it('makes a certificate for the port of its API, which it opens only for clients with a certificate', async () => {
    const address = '--local-api-address=127.0.0.1:10251';
    expect(await run('assembly', 'check', address)).toBe(1);
    expect(err).toContain('localClientCaFile must name the authorities of the clients of localAddress');
    expect(await run('assembly', 'print', address, '--local-api-client-ca-file=/ca.crt')).toBe(0);
    expect(out).toMatch(/^@podwright\/cert-rotation#serving$/m);
    expect(
      await run(
        'assembly',
        'check',
        address,
        '--local-api-client-ca-file=/ca.crt',
        '--enable-server',
        '--client-ca-file=/ca.crt',
      ),
    ).toBe(0);
  });

  it('takes the configuration of its README', async () => {
    const readme = await readFile(path.join(__dirname, '../README.md'), 'utf8');
    const [, yaml = ''] = /```yaml\n([^`]*)```/.exec(readme) ?? [];
    expect((await load(['--config=/c'], yaml)).configuration).toMatchObject({
      shutdownGracePeriod: '30s',
      shutdownGracePeriodCriticalPods: '10s',
    });
  });

  it('refuses a flag of clusters in one line with its own name', async () => {
    expect(await run('--kubeconfig=/k')).toBe(1);
    expect(err).toMatch(
      /^E.* kubelet-standalone\] "command failed" err="failed to parse kubelet flag: unknown flag: --kubeconfig"\n$/,
    );
  });
});
