import { describe, expect, it } from '@jest/globals';
import { legacyKubeletConfiguration } from '../defaults.js';
import { kubeletConfigurationSchema } from '../schema.js';
import { configFlags } from './config-flags.js';
import { helpText } from './help.js';
import { allFlags } from './program-flags.js';
import { parseKubeletFlags } from './parse-flags.js';
import { kubernetesVersion } from './reported-version.js';

function fieldsOf(...argv: string[]): Record<string, unknown> {
  return Object.fromEntries(parseKubeletFlags(argv).fields);
}

describe('parseKubeletFlags', () => {
  it.each<[string[], Record<string, unknown>]>([
    [['--max-pods=5'], { maxPods: 5 }],
    [['--max_pods', '5'], { maxPods: 5 }],
    [['--oom-score-adj', '-5'], { oomScoreAdj: -5 }],
    [['--max-pods=0x10'], { maxPods: 16 }],
    [['--max-pods=1_000', '--port=010', '--read-only-port=0'], { maxPods: 1000, port: 8, readOnlyPort: 0 }],
    [['--enable-server'], { enableServer: true }],
    [['--enable-server=false'], { enableServer: false }],
    [['-v', '4'], { 'logging.verbosity': 4 }],
    [['-v4'], { 'logging.verbosity': 4 }],
    [['-v=4'], { 'logging.verbosity': 4 }],
    [['--v=2'], { 'logging.verbosity': 2 }],
    [['--sync-frequency=90s'], { syncFrequency: '1m30s' }],
    [['--cluster-dns=1.1.1.1,2.2.2.2', '--cluster-dns', '3.3.3.3'], { clusterDNS: ['1.1.1.1', '2.2.2.2', '3.3.3.3'] }],
    [
      ['--eviction-hard=memory.available<1Gi,nodefs.available<10%'],
      { evictionHard: { 'memory.available': '1Gi', 'nodefs.available': '10%' } },
    ],
    [['--eviction-soft-grace-period=memory.available=1m'], { evictionSoftGracePeriod: { 'memory.available': '1m' } }],
    [['--kube-reserved=cpu=1,memory=1Gi'], { kubeReserved: { cpu: '1', memory: '1Gi' } }],
    [['--feature-gates=A=true', '--feature-gates=B=false'], { featureGates: { A: true, B: false } }],
    [
      ['--manifest-url-header=a:hello,b:x', '--manifest-url-header', 'a:again'],
      { staticPodURLHeader: { a: ['hello', 'again'], b: ['x'] } },
    ],
    [
      ['--register-with-taints=a=b:NoSchedule,c:NoExecute'],
      {
        registerWithTaints: [
          { key: 'a', value: 'b', effect: 'NoSchedule' },
          { key: 'c', effect: 'NoExecute' },
        ],
      },
    ],
    [['--register-with-taints=a:NoExecute', '--register-with-taints=b-,c=d:NoSchedule-'], { registerWithTaints: [] }],
    [['--address=', '--reserved-memory='], {}],
    [['--address=010.0.00.0'], { address: '10.0.0.0' }],
    [
      ['--cpu-manager-policy-options=a=1,b=2', '--cpu-manager-policy-options=c=3'],
      { cpuManagerPolicyOptions: { a: '1,b=2', c: '3' } },
    ],
    [
      ['--reserved-memory=0:memory=1Gi,hugepages-1M=2Gi', '--reserved-memory=1:memory=2Gi'],
      {
        reservedMemory: [
          { numaNode: 0, limits: { memory: '1Gi', 'hugepages-1M': '2Gi' } },
          { numaNode: 1, limits: { memory: '2Gi' } },
        ],
      },
    ],
    [['--cluster-dns="a,""b",,c', '--cluster-dns=', '--cluster-dns=d,'], { clusterDNS: ['a,"b', '', 'c', 'd', ''] }],
    [['--anonymous-auth=false'], { 'authentication.anonymous.enabled': false }],
    [
      ['--vmodule=a=1,', '--vmodule=b*=2'],
      {
        'logging.vmodule': [
          { filePattern: 'a', verbosity: 1 },
          { filePattern: 'b*', verbosity: 2 },
        ],
      },
    ],
  ])('%j', (argv, fields) => {
    expect(fieldsOf(...argv)).toEqual(fields);
  });

  it.each([
    [['--nope'], 'failed to parse kubelet flag: unknown flag: --nope'],
    [['-x'], "failed to parse kubelet flag: unknown shorthand flag: 'x' in -x"],
    [['-hx'], "failed to parse kubelet flag: unknown shorthand flag: 'x' in -x"],
    ...[
      ['a,"b', 'parse error on line 1, column 5: extraneous or missing " in quoted-field'],
      ['ä,"b"c', 'parse error on line 1, column 6: extraneous or missing " in quoted-field'],
      ['a,b"', 'parse error on line 1, column 4: bare " in non-quoted field'],
    ].map(
      ([value, fault]) =>
        [
          [`--cluster-dns=${value}`],
          `failed to parse kubelet flag: invalid argument ${JSON.stringify(value)} for "--cluster-dns" flag: ${fault}`,
        ] as const,
    ),
    [['--config'], 'failed to parse kubelet flag: flag needs an argument: --config'],
    [
      ['--max-pods=many'],
      'failed to parse kubelet flag: invalid argument "many" for "--max-pods" flag: strconv.ParseInt: parsing "many": invalid syntax',
    ],
    [
      ['--max-pods=3000000000'],
      'failed to parse kubelet flag: invalid argument "3000000000" for "--max-pods" flag: strconv.ParseInt: parsing "3000000000": value out of range',
    ],
    [
      ['-vx'],
      'failed to parse kubelet flag: invalid argument "x" for "-v, --v" flag: strconv.ParseUint: parsing "x": invalid syntax',
    ],
    [
      ['-v=3000000000'],
      'failed to parse kubelet flag: invalid argument "3000000000" for "-v, --v" flag: strconv.ParseUint: parsing "3000000000": value out of range',
    ],
    [
      ['--vmodule=a'],
      'failed to parse kubelet flag: invalid argument "a" for "--vmodule" flag: "a" does not have the pattern=N format',
    ],
    [
      ['--vmodule=a=x'],
      'failed to parse kubelet flag: invalid argument "a=x" for "--vmodule" flag: parsing verbosity in "a=x": strconv.ParseUint: parsing "x": invalid syntax',
    ],
    [
      ['--feature-gates=A=maybe'],
      'failed to parse kubelet flag: invalid argument "A=maybe" for "--feature-gates" flag: invalid value of A: maybe, err: strconv.ParseBool: parsing "maybe": invalid syntax',
    ],
    [
      ['--enable-server=maybe'],
      'failed to parse kubelet flag: invalid argument "maybe" for "--enable-server" flag: strconv.ParseBool: parsing "maybe": invalid syntax',
    ],
    [
      ['--sync-frequency=5'],
      'failed to parse kubelet flag: invalid argument "5" for "--sync-frequency" flag: time: missing unit in duration "5"',
    ],
    [
      ['--housekeeping-interval=5'],
      'failed to parse kubelet flag: invalid argument "5" for "--housekeeping-interval" flag: parse error',
    ],
    [
      ['--enable-load-reader=maybe'],
      'failed to parse kubelet flag: invalid argument "maybe" for "--enable-load-reader" flag: parse error',
    ],
    [
      ['--application_metrics_count_limit=9223372036854775808'],
      'failed to parse kubelet flag: invalid argument "9223372036854775808" for "--application-metrics-count-limit" flag: value out of range',
    ],
    [
      ['--address=x'],
      'failed to parse kubelet flag: invalid argument "x" for "--address" flag: "x" is not a valid IP address',
    ],
    [
      ['--eviction-hard=memory.available=1Gi'],
      'failed to parse kubelet flag: invalid argument "memory.available=1Gi" for "--eviction-hard" flag: malformed pair, expect string<string',
    ],
    [
      ['--feature-gates=A'],
      'failed to parse kubelet flag: invalid argument "A" for "--feature-gates" flag: malformed pair, expect string=bool',
    ],
    [['run'], 'unknown command run'],
    [['--', '--config'], 'unknown command --config'],
    [['--enable-server', 'false'], 'unknown command false'],
  ])('%j is refused', (argv, message) => {
    expect(() => parseKubeletFlags(argv)).toThrow(message);
  });

  it.each([
    ['--register-with-taints=a=b:Foo', 'invalid taint effect: Foo, unsupported taint effect'],
    ['--register-with-taints=a', 'invalid taint spec: a'],
    ['--register-with-taints=a=b=c:NoSchedule', 'invalid taint spec: a=b=c:NoSchedule'],
    ['--register-with-taints=a:NoSchedule:b', 'invalid taint spec: a:NoSchedule:b'],
    [
      '--register-with-taints=:NoSchedule',
      'invalid taint spec: :NoSchedule, name part must be non-empty; name part must',
    ],
    ['--register-with-taints=a=b c:NoSchedule', 'invalid taint spec: a=b c:NoSchedule, a valid label must be'],
    [
      '--register-with-taints=a=b:NoSchedule,a=c:NoSchedule',
      'duplicated taints with the same key and effect: {a c NoSchedule <nil>}',
    ],
    ['--reserved-memory=0', 'the reserved memory has incorrect format, expected numaNodeID:type=quantity[,'],
    ['--reserved-memory=a:memory=1', 'failed to convert the NUMA node ID, expected integer, got a'],
    ['--reserved-memory=0:memory', 'the reserved limit has incorrect value, expected type=quantity, got memory'],
    ['--reserved-memory=0:cpu=1', 'memory type conversion error, unknown type: "cpu"'],
    ['--reserved-memory=0:memory=x', 'failed to parse the quantity: x'],
    ['--max-pods=08', 'strconv.ParseInt: parsing "08": invalid syntax'],
    ['--max-pods=1__0', 'strconv.ParseInt: parsing "1__0": invalid syntax'],
    ['--cpu-manager-policy-options=', 'malformed pair, expect string=string'],
    [
      '--feature-gates=A=true=x',
      'invalid value of A: true=x, err: strconv.ParseBool: parsing "true=x": invalid syntax',
    ],
  ])('%j is refused in the words of the parser of its kind', (argument, fault) => {
    const [name, ...value] = argument.split('=');
    expect(() => parseKubeletFlags([argument])).toThrow(
      `failed to parse kubelet flag: invalid argument ${JSON.stringify(value.join('='))} for "${name}" flag: ${fault}`,
    );
  });

  it('gives the flags that are no configuration, with defaults', () => {
    const { flags, help, set, warnings, fields } = parseKubeletFlags(['--node-labels=a=b,c', '--root_dir=/x']);
    expect(flags).toMatchObject({
      rootDir: '/x',
      certDir: '/var/lib/kubelet/pki',
      maximumDeadContainers: -1,
      nodeLabels: { a: 'b', c: '' },
    });
    expect(flags).not.toHaveProperty('help');
    expect([flags.version.print, help, fields.size]).toEqual(['no', false, 0]);
    expect(set).toEqual(['--node-labels="a=b,c"', '--root-dir="/x"']);
    expect(warnings).toEqual([]);
  });

  it('warns once of each deprecated flag', () => {
    expect(parseKubeletFlags(['--port=1', '--port=2', '--containerd=x']).warnings).toEqual([
      "Flag --port has been deprecated, This parameter should be set via the config file specified by the Kubelet's --config flag. See https://kubernetes.io/docs/tasks/administer-cluster/kubelet-config-file/ for more information.",
      'Flag --containerd has been deprecated, This is a cadvisor flag that was mistakenly registered with the Kubelet. Due to legacy concerns, it will follow the standard CLI deprecation timeline before being removed.',
    ]);
  });

  it('hands over the warning of each deprecated flag in front of a fault', () => {
    const lines: string[] = [];
    const onDeprecated = (line: string): void => void lines.push(line.slice(0, 35));
    const parse = (...argv: string[]) => parseKubeletFlags(argv, undefined, { onDeprecated });
    expect(() => parse('--port=1', '--port=2', '--containerd=x', '--nope', '--max-pods=1')).toThrow('--nope');
    expect(lines).toEqual([
      'Flag --port has been deprecated, Th',
      'Flag --port has been deprecated, Th',
      'Flag --containerd has been deprecat',
    ]);
    expect(parse('--port=1').warnings).toEqual([]);
  });

  it.each([
    [['--version'], 'short', kubernetesVersion],
    [['--version=T'], 'short', kubernetesVersion],
    [['--version=0'], 'no', kubernetesVersion],
    [['--version=raw'], 'raw', kubernetesVersion],
    [[`--version=${kubernetesVersion}`], 'no', kubernetesVersion],
    [['--version', `--version=${kubernetesVersion}-a.0+b`], 'no', `${kubernetesVersion}-a.0+b`],
    [[`--version=${kubernetesVersion}-a`, '--version'], 'short', `${kubernetesVersion}-a`],
  ])('%j asks for the version', (argv, print, reported) => {
    expect(parseKubeletFlags(argv).flags.version).toEqual({ print, reported });
  });

  it.each([
    ['foo', 'strconv.ParseBool: parsing "foo": invalid syntax'],
    ['v', 'could not parse "v" as version'],
    ['v1.36', 'illegal version string "v1.36"'],
    ['v01.36.0', 'illegal zero-prefixed version component "01" in "v01.36.0"'],
    [
      'v1.99999999999999999999.0',
      'illegal non-numeric version component "99999999999999999999" in "v1.99999999999999999999.0": strconv.ParseUint: parsing "99999999999999999999": value out of range',
    ],
    ['v1.36.0foo', 'could not parse pre-release/metadata (foo) in version "v1.36.0foo"'],
    ['v1.36.0-01', 'illegal zero-prefixed version component "01" in "v1.36.0-01"'],
    ['v1.36.9', `version "v1.36.9" must match major/minor/patch of default version "${kubernetesVersion}"`],
  ])('refuses to report the version %s', (version, fault) => {
    const message = `failed to parse kubelet flag: invalid argument "${version}" for "--version" flag: ${fault}`;
    expect(() => parseKubeletFlags([`--version=${version}`])).toThrow(message);
  });
});

describe('the flag table', () => {
  it('has each name once and only fields that exist', () => {
    expect(new Set(allFlags.map(({ name }) => name)).size).toBe(allFlags.length);
    const missing = configFlags.filter(({ field = '' }) => {
      const [first = ''] = field.split('.');
      return !Object.hasOwn(kubeletConfigurationSchema.fields, first);
    });
    expect(missing).toEqual([]);
  });

  it('prints a usage with every flag', () => {
    const text = helpText({ program: 'kubelet' }, legacyKubeletConfiguration());
    for (const { name } of allFlags) expect(text).toContain(`--${name}`);
    const lines = text.split('\n');
    const lineOf = (name: string): string => lines.find((line) => line.includes(`--${name} `)) ?? '';
    expect(lineOf('max-pods')).toMatch(
      /^ {6}--max-pods int32 +number of pods that the node takes \(default 110\) \(DEPR/,
    );
    expect(lineOf('v')).toMatch(/^ {2}-v, --v Level +log verbosity$/);
    expect(lineOf('sync-frequency')).toContain(' (default 1m0s) ');
    expect(lineOf('cert-dir')).toContain(' (default "/var/lib/kubelet/pki")');
    expect(lineOf('enforce-node-allocatable')).toContain(' (default [pods]) ');
    expect(lineOf('pods-per-core')).not.toContain('default');
    const usages = lines.slice(4, -1).map((line) => /^ {2}(?:-\w,| {3}) --[^ ]+(?: [^ ]+)? +/.exec(line)?.[0].length);
    expect(new Set(usages).size).toBe(1);
  });
});
