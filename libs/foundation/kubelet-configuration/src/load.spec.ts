import { describe, expect, it } from '@jest/globals';
import type { ConfigurationFiles } from './configuration-files.js';
import { defaultEvictionHard } from './default-values.js';
import { defaultKubeletConfiguration, legacyKubeletConfiguration } from './defaults.js';
import type { ProgramFlags } from './flags/program-flags.js';
import { kubernetesVersion } from './flags/reported-version.js';
import type { KubeletAnswer, LoadedKubelet } from './load.js';
import { loadKubeletConfiguration } from './load.js';
import { maskConfiguration } from './masked.js';
import { notYetEffective } from './not-yet-effective.js';

const head = 'apiVersion: kubelet.config.k8s.io/v1beta1\nkind: KubeletConfiguration\n';

/** A file system of texts by absolute path. */
function filesOf(texts: Readonly<Record<string, string>>): ConfigurationFiles {
  return {
    async readFile(path) {
      const text = texts[path];
      if (text === undefined) throw Object.assign(new Error(path), { code: 'ENOENT' });
      return text;
    },
    async readDirectory(path) {
      const below = Object.keys(texts)
        .filter((name) => name.startsWith(`${path}/`))
        .map((name) => name.slice(path.length + 1));
      if (texts[path] !== undefined) throw Object.assign(new Error(path), { code: 'ENOTDIR' });
      if (below.length === 0) throw Object.assign(new Error(path), { code: 'ENOENT' });
      const names = new Map(below.map((name) => [name.split('/')[0] ?? '', name.includes('/')]));
      return [...names].map(([name, isDirectory]) => ({ name, isDirectory }));
    },
  };
}

async function load(argv: readonly string[], texts: Readonly<Record<string, string>> = {}): Promise<LoadedKubelet> {
  const loaded = await loadKubeletConfiguration({ argv, cwd: '/etc', files: filesOf(texts) });
  if ('answer' in loaded) throw new Error('an answer instead of a configuration');
  return loaded;
}

describe('loadKubeletConfiguration', () => {
  it('uses the legacy values without a file and the v1beta1 ones with it', async () => {
    expect((await load([])).configuration).toMatchObject({
      readOnlyPort: 10255,
      authorization: { mode: 'AlwaysAllow' },
      authentication: { anonymous: { enabled: true }, webhook: { enabled: false } },
      evictionHard: {},
    });
    expect((await load(['--config=k.yaml'], { '/etc/k.yaml': head })).configuration).toMatchObject({
      readOnlyPort: 0,
      authorization: { mode: 'Webhook' },
      authentication: { anonymous: { enabled: false }, webhook: { enabled: true } },
      evictionHard: defaultEvictionHard,
    });
  });

  describe('of a program with a command line of its own', () => {
    const program: ProgramFlags = {
      program: 'kubelet-alone',
      ownFlags: [{ name: 'socket', default: '/run/alone.sock', help: 'socket of the local API' }],
      withoutFlags: ['kubeconfig'],
      flagDefaults: { 'root-dir': '/var/lib/alone' },
      configurationDefaults: { enableServer: false, authorization: { mode: 'AlwaysAllow' } },
    };
    const loadAlone = (argv: readonly string[], texts: Readonly<Record<string, string>> = {}) =>
      loadKubeletConfiguration({ argv, cwd: '/etc', files: filesOf(texts), program });

    it('has its flags and defaults, with and without a file, and nothing of the legacy values', async () => {
      const expected = {
        flags: { rootDir: '/var/lib/alone', kubeconfig: '' },
        ownFlags: { socket: '/run/alone.sock' },
        configuration: {
          ...{ enableServer: false, readOnlyPort: 0, evictionHard: defaultEvictionHard },
          authorization: { mode: 'AlwaysAllow' },
          authentication: { anonymous: { enabled: false } },
        },
      };
      expect(await loadAlone([])).toMatchObject(expected);
      expect(await loadAlone(['--config=k.yaml'], { '/etc/k.yaml': head })).toMatchObject(expected);
    });

    it('takes what the command line and the file say', async () => {
      const file = `${head}enableServer: true\nevictionHard: {memory.available: 1Mi}\n`;
      const argv = ['--config=k.yaml', '--socket', '/s', '--root-dir=/r', '--authorization-mode=Webhook'];
      expect(await loadAlone(argv, { '/etc/k.yaml': file })).toMatchObject({
        flags: { rootDir: '/r' },
        ownFlags: { socket: '/s' },
        configuration: {
          ...{ enableServer: true, evictionHard: { 'memory.available': '1Mi' } },
          authorization: { mode: 'Webhook' },
        },
      });
    });

    it('lacks some flags of the kubelet, which lacks its own', async () => {
      await expect(loadAlone(['--kubeconfig=/k'])).rejects.toThrow('unknown flag: --kubeconfig');
      await expect(load(['--socket=/s'])).rejects.toThrow('unknown flag: --socket');
    });

    it('shows its own flags first in the help text', async () => {
      const { answer } = (await loadAlone(['--help'])) as { answer: { help: string } };
      expect(answer.help).toMatch(
        /^Usage:\n {2}kubelet-alone \[flags\]\n\nFlags of kubelet-alone alone:\n {6}--socket string +socket of the local API \(default "\/run\/alone.sock"\)\n\nFlags:\n/,
      );
      expect(answer.help).toContain('folder of all state (default "/var/lib/alone")');
      expect(answer.help).not.toMatch(/--kubeconfig|--socket[^]*--socket/);
    });
  });

  it('lets the flag win over the drop-in, the drop-in over the file', async () => {
    const { configuration } = await load(
      ['--config=/k.yaml', '--config-dir=/d', '--max-pods=3', '--kube-reserved=cpu=1'],
      {
        '/k.yaml': `${head}maxPods: 1\npodsPerCore: 1\nport: 1\nkubeReserved: {memory: 1Gi}\n`,
        '/d/10.conf': `${head}maxPods: 2\npodsPerCore: 2\n`,
      },
    );
    expect(configuration).toMatchObject({ maxPods: 3, podsPerCore: 2, port: 1, kubeReserved: { cpu: '1' } });
  });

  it('unites feature gates, those of the command line winning', async () => {
    const { featureGates, configuration } = await load(['--config=/k.yaml', '--feature-gates=EventedPLEG=true'], {
      '/k.yaml': `${head}featureGates: {EventedPLEG: false, MemoryQoS: true}\n`,
    });
    expect(configuration.featureGates).toEqual({ EventedPLEG: true, MemoryQoS: true });
    expect(featureGates.enabled('EventedPLEG') && featureGates.enabled('MemoryQoS')).toBe(true);
  });

  it('takes patterns of the command line after those of the file', async () => {
    const files = { '/k.yaml': `${head}logging: {vmodule: [{filePattern: a, verbosity: 1}]}\n` };
    const ofFile = { filePattern: 'a', verbosity: 1 };
    const ofFlag = { filePattern: 'b', verbosity: 2 };
    const both = await load(['--config=/k.yaml', '--vmodule=b=2'], files);
    expect(both.configuration.logging.vmodule).toEqual([ofFile, ofFlag]);
    expect((await load(['--vmodule=b=2'])).configuration.logging.vmodule).toEqual([ofFlag]);
  });

  it('merges drop-ins in the order of their names, into sub-folders, .conf alone', async () => {
    const { configuration, warnings } = await load(['--config=/k.yaml', '--config-dir=/d'], {
      '/k.yaml': `${head}evictionHard: {memory.available: 1Gi}\nclusterDNS: [1.1.1.1]\nsyncFrequency: 5s\n`,
      '/d/.conf': `${head}maxPods: 5\nstreamingConnectionIdleTimeout: 1h\n`,
      '/d/20.conf': `${head}maxpods: 20\nclusterDNS: [2.2.2.2]\nstaticPodPath: rel\n`,
      '/d/10/a.conf': `${head}maxPods: 10\nunknown: 1\nevictionHard: {nodefs.available: 5%}\nsyncFrequency: null\n---\na: b: c\n`,
      '/d/10/b.yaml': 'broken: [',
    });
    expect(configuration).toMatchObject({
      maxPods: 20,
      clusterDNS: ['2.2.2.2'],
      staticPodPath: 'rel',
      evictionHard: { 'memory.available': '1Gi', 'nodefs.available': '5%' },
      syncFrequency: '1m0s',
      streamingConnectionIdleTimeout: '1h0m0s',
    });
    expect(warnings).toEqual(['/d/10/b.yaml is not read: only files *.conf of --config-dir are']);
  });

  it('merges a drop-in that is named instead of its folder, and skips a file with another name', async () => {
    const files = { '/a.conf': `${head}maxPods: 5\n`, '/b': 'broken: [' };
    expect((await load(['--config-dir=/a.conf'], files)).configuration.maxPods).toBe(5);
    const { warnings } = await load(['--config-dir=/b'], files);
    expect(warnings).toEqual([expect.stringMatching(/^\/b is not read/)]);
  });

  it.each([
    ['EACCES', 'open /d/a.conf: permission denied'],
    ['EISDIR', 'read /d/a.conf: is a directory'],
  ])('says why a drop-in cannot be read: %s', async (code, why) => {
    const files: ConfigurationFiles = {
      ...filesOf({ '/d/a.conf': head }),
      readFile: (path) => Promise.reject(Object.assign(new Error(path), { code })),
    };
    await expect(loadKubeletConfiguration({ argv: ['--config-dir=/d'], cwd: '/', files })).rejects.toThrow(
      `path: /d/a.conf, error: failed to read drop-in kubelet config file "/d/a.conf", error: ${why}`,
    );
  });

  it.each([
    [
      ['--config-dir=/none'],
      'failed to merge kubelet configs: failed to walk through kubelet dropin directory "/none": lstat /none: no such file or directory',
    ],
    [
      ['--config=/none'],
      'failed to load kubelet config file, path: /none, error: failed to load Kubelet config file /none, error failed to read kubelet config file "/none", error: open /none: no such file or directory',
    ],
    [['--config-dir=/d'], 'directory "/d": failed to load kubelet dropin file, path: /d/a.conf, error: '],
    [['--config-dir=/d'], 'path: /d/a.conf, error: kind is not set, expected KubeletConfiguration'],
    [['--config-dir=/e'], 'path: /e/a.conf, error: maxPods: expected integer, got "x" (string)'],
    [['--config-dir=/f'], 'path: /f/a.conf, error: kubelet config file "/f/a.conf" was empty'],
    [['--config-dir=/i'], 'path: /i/a.conf, unknown apiVersion/kind: /v1, Kind=Pod'],
    [
      ['--config-dir=/j'],
      'path: /j/a.conf, unknown apiVersion/kind: kubelet.config.k8s.io/v1, Kind=KubeletConfiguration',
    ],
    [['--config-dir=/h'], 'path: /h/a.conf, error: maxPods: duplicate key (line '],
    [
      ['--max-pods=-1', '--port=0'],
      'failed to validate kubelet configuration, error: [invalid configuration: maxPods (--max-pods) -1 must not be a negative number, invalid configuration: port (--port) 0 must be between 1 and 65535, inclusive], path: &TypeMeta{Kind:,APIVersion:,}',
    ],
    [
      ['--enforce-node-allocatable=kube-reserved,kube-reserved-compressible'],
      'cannot be specified together in enforceNodeAllocatable (--enforce-node-allocatable), invalid configuration: kubeReservedCgroup (--kube-reserved-cgroup) must be specified when "kube-reserved" or "kube-reserved-compressible" included in enforceNodeAllocatable (--enforce-node-allocatable)], path: ',
    ],
    [
      ['--feature-gates=AllBeta=false'],
      'FeatureGate KubeletCrashLoopBackOffMax not enabled, CrashLoopBackOff.MaxContainerRestartPeriod must not be set',
    ],
    [
      ['--root-dir=', '--sync-frequency=0s'],
      'failed to run Kubelet: failed to create kubelet: invalid root directory ""',
    ],
    [
      ['--feature-gates=SidecarContainers=false,Nope=true,Never=true'],
      'failed to set feature gates from initial flags-based config: [cannot set feature gate SidecarContainers to false, feature is locked to true, unrecognized feature gate: Nope]',
    ],
    [
      ['--config=/g.yaml', '--max-pods=-1'],
      'failed to set feature gates from initial flags-based config: ClusterTrustBundleProjection is enabled, but depends on features that are disabled: [ClusterTrustBundle]',
    ],
    [
      ['--config=/none', '--node-labels=kubernetes.io/x=y,a b=c d'],
      "failed to validate kubelet flags: unknown 'kubernetes.io' or 'k8s.io' labels specified with --node-labels: [kubernetes.io/x]",
    ],
    [
      ['--config=/none', '--node-labels=a b=y'],
      "failed to validate kubelet flags: invalid node labels: 'a b' - name part must",
    ],
    [
      ['--logging-format=xml', '--max-pods=-1'],
      'initialize logging: logging.format: Invalid value: "xml": Unsupported log format',
    ],
  ])('%j is refused', async (argv, message) => {
    const texts = {
      '/d/a.conf': 'apiVersion: kubelet.config.k8s.io/v1beta1\n',
      '/e/a.conf': `${head}maxPods: x\n`,
      '/f/a.conf': '',
      '/h/a.conf': `${head}maxPods: 1\nmaxPods: 2\n`,
      '/i/a.conf': 'apiVersion: v1\nkind: Pod\n',
      '/j/a.conf': head.replace('v1beta1', 'v1'),
      '/g.yaml': `${head}featureGates: {ClusterTrustBundleProjection: true}\n`,
    };
    await expect(load(argv, texts)).rejects.toThrow(message);
  });

  it('shows no default that is an object in --help', async () => {
    const { answer } = (await loadKubeletConfiguration({ argv: ['-h'], cwd: '/' })) as KubeletAnswer;
    expect(answer).toEqual({ help: expect.not.stringContaining('[object Object]') });
  });

  it('answers --help and --version', async () => {
    expect(await loadKubeletConfiguration({ argv: ['--version=raw'], cwd: '/' })).toEqual({
      answer: { version: kubernetesVersion, raw: true },
    });
    expect(await loadKubeletConfiguration({ argv: ['-h'], cwd: '/', program: { program: 'podwright' } })).toEqual({
      answer: { help: expect.stringContaining('Usage:\n  podwright [flags]') },
    });
  });

  it('collects the warnings of flags, files and gates', async () => {
    const { warnings, setFlags } = await load(['--config=/k.yaml', '--port=1'], {
      '/k.yaml': `${head}maxPod: 1\nfeatureGates: {SidecarContainers: true}\n`,
    });
    expect(warnings.map((line) => line.slice(0, 30))).toEqual([
      'Flag --port has been deprecate',
      'Using lenient decoding as stri',
      'Setting GA feature gate Sideca',
    ]);
    expect(setFlags).toEqual(['--config="/k.yaml"', '--port="1"']);
  });
});

describe('what is shown of a configuration', () => {
  it('masks the header values of the manifest URL', () => {
    const configuration = defaultKubeletConfiguration({ staticPodURLHeader: { Authorization: ['Bearer x'] } });
    expect(maskConfiguration(configuration).staticPodURLHeader).toEqual({ Authorization: ['<masked>'] });
    expect(JSON.stringify(maskConfiguration(configuration))).not.toContain('Bearer');
  });

  it('lists fields that are set and not honoured', () => {
    const configuration = defaultKubeletConfiguration({
      maxPods: 5,
      clusterDNS: ['1.1.1.1'],
      authentication: { webhook: { cacheTTL: '1s' }, x509: { clientCAFile: '/ca' } },
      tracing: { samplingRatePerMillion: 5 },
      maxParallelImagePulls: 3,
      kubeReserved: { cpu: '1' },
    });
    expect(
      notYetEffective(configuration, new Set(['maxPods', 'authentication.webhook', 'serializeImagePulls'])),
    ).toEqual(['authentication.x509.clientCAFile', 'clusterDNS', 'kubeReserved', 'maxParallelImagePulls', 'tracing']);
  });

  it('knows a field that is honoured below one that has no default', () => {
    const tracing = { endpoint: '127.0.0.1:4317', samplingRatePerMillion: 1 };
    const configuration = { ...legacyKubeletConfiguration(), tracing };
    const honoured = ['tracing.endpoint', 'tracing.samplingRatePerMillion'];
    expect(notYetEffective(configuration, new Set(honoured))).toEqual([]);
    expect(notYetEffective(configuration, new Set(honoured.slice(0, 1)))).toEqual(honoured.slice(1));
  });

  it('counts neither set of defaults as set', () => {
    expect(notYetEffective(legacyKubeletConfiguration(), new Set())).toEqual([]);
    expect(
      notYetEffective({ ...defaultKubeletConfiguration({}), evictionHard: defaultEvictionHard }, new Set()),
    ).toEqual([]);
  });
});
