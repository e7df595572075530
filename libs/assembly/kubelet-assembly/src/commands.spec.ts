import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { runCommand as runCommandOf } from './commands.js';
import { cgroupVersion } from './node-facts.js';

const runCommand = (argv: readonly string[]): Promise<number> => runCommandOf(argv, { program: 'kubelet', parts: [] });

describe('the command line', () => {
  let dir: string;
  let out: string;
  let err: string;
  beforeEach(async () => {
    dir = await mkdtemp(path.join(tmpdir(), 'podwright-commands-'));
    out = err = '';
    jest.spyOn(process.stdout, 'write').mockImplementation((text) => ((out += String(text)), true));
    jest.spyOn(process.stderr, 'write').mockImplementation((text) => ((err += String(text)), true));
  });
  afterEach(async () => {
    jest.restoreAllMocks();
    await rm(dir, { recursive: true, force: true });
  });

  async function configuration(...lines: readonly string[]): Promise<string> {
    const file = path.join(dir, 'config.yaml');
    const head = ['apiVersion: kubelet.config.k8s.io/v1beta1', 'kind: KubeletConfiguration', 'failCgroupV1: false'];
    await writeFile(file, [...head, ...lines, ''].join('\n'));
    return file;
  }

  it('prints help and version, exit code 0', async () => {
    expect(await runCommand(['--help'])).toBe(0);
    expect(out).toContain('--container-runtime-endpoint');
    out = '';
    expect(await runCommand(['--version'])).toBe(0);
    expect(out).toMatch(/^Kubernetes v1\.36\.\d+\n$/);
    out = '';
    expect(await runCommand(['--version=raw'])).toBe(0);
    expect(out).toMatch(/^version\.Info\{Major:"1", Minor:"36", GitVersion:"v1\.36\.\d+", .*\}\n$/);
    expect(out).toContain(`NodeVersion:"${process.version}"`);
    expect(err).toBe('');
  });

  it.each([
    [['--bogus'], 'unknown flag: --bogus'],
    [['now'], 'unknown command now'],
    [['--sync-frequency', 'often'], '--sync-frequency'],
    [['--config', '/nowhere/config.yaml'], '/nowhere/config.yaml'],
  ])('refuses %j in one line, exit code 1', async (argv, says) => {
    expect(await runCommand(argv)).toBe(1);
    expect(err).toContain(says);
    expect(err.split('\n')).toHaveLength(2);
    expect(out).toBe('');
  });

  it('fails with the line of upstream that operators look for, below the warnings about deprecated flags', async () => {
    expect(await runCommand(['--max-pods=4', '--bogus'])).toBe(1);
    expect(err).toMatch(
      /^Flag --max-pods has been deprecated, [^\n]+\nE\d{4} [^\n]+ kubelet\] "command failed" err="failed to parse kubelet flag: unknown flag: --bogus"\n$/,
    );
    err = '';
    const broken = await configuration('failSwapOn: false', 'containerRuntimeEndpoint: tcp://192.0.2.1:5');
    const flags = ['--config', broken, '--root-dir', path.join(dir, 'root'), '--max-pods=4'];
    expect(await runCommand([...flags, '--logging-format=json'])).toBe(1);
    expect(err.startsWith('Flag --max-pods has been deprecated, ')).toBe(true);
    expect(JSON.parse(err.trim().split('\n').at(-1) ?? '')).toMatchObject({
      msg: 'command failed',
      err: expect.stringMatching(/^failed to run Kubelet: .* cannot be used/),
    });
  });

  it('names file, field and value of a wrong type', async () => {
    const file = await configuration('maxPods: many');
    expect(await runCommand(['--config', file])).toBe(1);
    expect(err).toContain(file);
    expect(err).toContain('maxPods');
    expect(err).toContain('many');
  });

  it('names field and value of a bad value', async () => {
    expect(await runCommand(['--config', await configuration('maxPods: -3')])).toBe(1);
    expect(err).toContain('maxPods (--max-pods) -3 must not be a negative number');
  });

  it('refuses --runonce as upstream does', async () => {
    expect(await runCommand(['--runonce', '--config', await configuration()])).toBe(1);
    expect(err).toContain('runOnce (--runOnce) true, Runonce mode has been deprecated');
  });

  it('refuses a runtime endpoint that cannot be one, exit code 1', async () => {
    const file = await configuration('containerRuntimeEndpoint: tcp://192.0.2.1:5', 'failSwapOn: false');
    expect(await runCommand(['--config', file, '--root-dir', path.join(dir, 'root')])).toBe(1);
    expect(err).toContain(String.raw`runtime endpoint \"tcp://192.0.2.1:5\" cannot be used`);
  });

  describe('assembly', () => {
    const ofItsOwn = [
      'failSwapOn: false',
      'authentication: { webhook: { enabled: false }, x509: { clientCAFile: /ca.crt } }',
      'authorization: { mode: AlwaysAllow }',
    ];
    const check = async (verb: string, assembly?: string): Promise<number> => {
      const argv = ['assembly', verb, '--config', await configuration(...ofItsOwn)];
      if (assembly === undefined) return runCommand(argv);
      const file = path.join(dir, 'assembly.yaml');
      await writeFile(file, `apiVersion: assembly.podwright.dev/v1alpha1\nkind: Assembly\nmodules:\n${assembly}`);
      return runCommand([...argv, '--assembly', file]);
    };

    it('check says that all is well and how many modules there are', async () => {
      expect(await check('check')).toBe(0);
      expect(out).toMatch(/^ok: \d+ modules\n$/);
    });

    it('check takes the minimal configuration of the README', async () => {
      const readme = await readFile(path.join(__dirname, '../../../../apps/kubelet/README.md'), 'utf8');
      const minimal = /```yaml\n(?<text>[^`]*kind: KubeletConfiguration\n(?:(?!```)[^])*)```/.exec(readme)?.groups?.[
        'text'
      ];
      const file = path.join(dir, 'minimal.yaml');
      await writeFile(file, minimal ?? '');
      expect(await runCommand(['assembly', 'check', '--config', file])).toBe(0);
      expect(out).toMatch(/^ok: /);
    });

    it.each([
      [['maxPods: -3'], 'maxPods (--max-pods) -3 must not be a negative number'],
      [[], 'no client provided, cannot use webhook authentication; set --kubeconfig or authentication.webhook.enabled'],
      [
        ['enableServer: false', 'containerRuntimeEndpoint: tcp://192.0.2.1:5'],
        'runtime endpoint "tcp://192.0.2.1:5" cannot',
      ],
    ])('check refuses a configuration with %j, exit code 1', async (lines, says) => {
      expect(await runCommand(['assembly', 'check', '--config', await configuration(...lines)])).toBe(1);
      expect(err).toContain(says);
      expect(out).toBe('');
    });

    it('check says when the configuration does not suit this machine, which need not be the node', async () => {
      const argv = ['assembly', 'check', '--config', await configuration(...ofItsOwn)];
      expect(await runCommand([...argv, '--fail-cgroupv1=true'])).toBe(0);
      const isVersion1 = (await cgroupVersion()) === 1;
      expect(err.includes('warning: on this machine it would not start: ')).toBe(isVersion1);
    });

    it.each([
      ['kubeconfig', [], 'no such file or directory'],
      ['kubeconfig', ['apiVersion: v1', 'kind: Config'], 'invalid configuration: no context chosen'],
      ['bootstrap', [], 'no such file or directory'],
    ])('check says when the %s file is bad: %j', async (which, lines, fault) => {
      const file = path.join(dir, which);
      if (lines.length > 0) await writeFile(file, lines.join('\n'));
      const flags = ['--fail-cgroupv1=false', '--kubeconfig', path.join(dir, 'kubeconfig')];
      if (which === 'bootstrap') flags.push('--bootstrap-kubeconfig', file);
      expect(await runCommand(['assembly', 'check', '--config', await configuration(...ofItsOwn), ...flags])).toBe(0);
      expect(err).toContain(`warning: on this machine it would not start: kubeconfig ${file}: ${fault}`);
    });

    it('check lists all faults, exit code 1', async () => {
      expect(
        await check('check', "  - omit: '@podwright/pleg'\n  - name: '@podwright/imag'\n    config: { a: 1 }\n"),
      ).toBe(1);
      expect(err).toContain('the assembly has 2 faults');
      expect(err).toContain('@podwright/pleg');
      expect(err).toContain('@podwright/imag');
    });

    it('check refuses a console without what it shows, as the start does', async () => {
      const file = path.join(dir, 'assembly.yaml');
      const head = 'apiVersion: assembly.podwright.dev/v1alpha1\nkind: Assembly\nmodules:\n';
      await writeFile(file, `${head}  - omit: '@podwright/explain'\n  - omit: '@podwright/journal'\n`);
      const flags = ['--config', await configuration('failSwapOn: false'), '--assembly', file];
      const faults = ['kubelet.explainer/v1', 'kubelet.journal-reader/v1'].map((token) =>
        expect.stringContaining(`@podwright/console: --console-address requires ${token}, which nobody provides`),
      );
      for (const verb of [['assembly', 'check'], []]) {
        err = '';
        expect(await runCommand([...verb, ...flags, '--console-address=127.0.0.1:4194'])).toBe(1);
        for (const fault of faults) expect(err).toEqual(fault);
        expect(err).toContain('@podwright/journal provides it: add it, or leave out --console-address');
      }
    });

    it('a run is refused before anything starts, with the same faults', async () => {
      const file = path.join(dir, 'assembly.yaml');
      await writeFile(
        file,
        'apiVersion: assembly.podwright.dev/v1alpha1\nkind: Assembly\nmodules:\n  - omit: nothing\n',
      );
      expect(await runCommand(['--config', await configuration('failSwapOn: false'), '--assembly', file])).toBe(1);
      expect(err).toContain('the assembly has 1 fault');
    });

    it('print shows modules in the order of start with their options', async () => {
      expect(await check('print', "  - name: '@podwright/pleg'\n    config: { relistPeriodMs: 500 }\n")).toBe(0);
      expect(out.indexOf('@podwright/cri-client\n')).toBeLessThan(out.indexOf('@podwright/pleg\n'));
      expect(out).toContain('"relistPeriodMs":500');
      expect(out).toContain('  provides: kubelet.pleg/v1');
      expect(out).toMatch(/^@podwright\/eviction\n(  .*\n)*  contributes to: .*kubelet\.server-routes\/v1/m);
    });

    it('graph is a flowchart', async () => {
      expect(await check('graph')).toBe(0);
      expect(out).toMatch(/^flowchart /);
    });

    it('anything else gets the usage', async () => {
      expect(await runCommand(['assembly', 'dance'])).toBe(2);
      expect(err).toContain('usage: kubelet assembly check|print|graph');
    });
  });
});
