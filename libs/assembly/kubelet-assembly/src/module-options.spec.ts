import { containerRuntimeConfigSchema } from '@podwright/container-runtime';
import { describe, expect, it } from '@jest/globals';
import { checkAssembly } from '@podwright/assembly';
import { defaultKubeletConfiguration, FeatureGates, parseKubeletFlags } from '@podwright/kubelet-configuration';
import type { KubeletConfiguration, KubeletFlags } from '@podwright/kubelet-configuration';
import { readingFields, steeringFields } from './effective-fields.js';
import { createFoundationValues, foundationOptions } from './foundation-values.js';
import { gateFacts, gateSwitches } from './gate-options.js';
import { assemblyFor } from './kubelet-setup.js';
import { moduleOptions } from './module-options.js';
import type { NodeFacts } from './node-facts.js';
import {
  imagePullRecordsModules,
  iptablesModules,
  knownModules,
  kubeletModules,
  serverAuthModules,
  servingCertificateModules,
  tracingModules,
} from './modules.js';

const facts = {
  nodeName: 'node',
  nodeIps: ['192.0.2.1'],
  givenNodeIps: [],
  invalidNodeIps: [],
  memoryBytes: 2 ** 30,
  cores: 2,
  cgroupVersion: 2,
  swapBytes: 0,
  swapControllerAvailable: false,
} as const;
const flagsOf = (...argv: readonly string[]): ReturnType<typeof parseKubeletFlags>['flags'] =>
  parseKubeletFlags(argv).flags;
const defaults = defaultKubeletConfiguration({});
const clusterOptions = (
  configuration: KubeletConfiguration,
  flags: KubeletFlags,
  given: NodeFacts,
  featureGates: FeatureGates,
): ReturnType<typeof moduleOptions> =>
  assemblyFor({
    configuration,
    flags: { ...flags, kubeconfig: '/k' },
    ownFlags: {},
    facts: given,
    featureGates,
  }).config;
const steer = (configuration: KubeletConfiguration): string =>
  JSON.stringify([
    moduleOptions(configuration, flagsOf(), facts),
    clusterOptions(configuration, flagsOf(), facts, FeatureGates.defaults()),
    foundationOptions(configuration, FeatureGates.defaults()),
  ]);

/** Another valid value for each field, where flipping, counting up or naming does not give one. */
const others: Readonly<Record<string, unknown>> = {
  allowedUnsafeSysctls: ['net.core.somaxconn'],
  'authorization.mode': 'AlwaysAllow',
  cgroupDriver: 'systemd',
  clusterDNS: ['192.0.2.53'],
  configMapAndSecretChangeDetectionStrategy: 'Cache',
  containerLogMaxSize: '1Mi',
  cpuCFSQuotaPeriod: '50ms',
  cpuManagerPolicy: 'static',
  cpuManagerPolicyOptions: { 'full-pcpus-only': 'true' },
  'crashLoopBackOff.maxContainerRestartPeriod': '20s',
  enforceNodeAllocatable: ['none'],
  evictionHard: { 'memory.available': '200Mi' },
  evictionMinimumReclaim: { 'memory.available': '10Mi' },
  evictionSoft: { 'nodefs.available': '20%' },
  evictionSoftGracePeriod: { 'nodefs.available': '1m' },
  imagePullCredentialsVerificationPolicy: 'NeverVerifyAllowlistedImages',
  kubeReserved: { memory: '1Gi' },
  'logging.format': 'json',
  'logging.options.json.infoBufferSize': '1Ki',
  'logging.options.text.infoBufferSize': '1Ki',
  'logging.vmodule': [{ filePattern: 'pleg', verbosity: 4 }],
  maxParallelImagePulls: 3,
  memoryManagerPolicy: 'Static',
  memoryReservationPolicy: 'TieredReservation',
  'memorySwap.swapBehavior': 'LimitedSwap',
  memoryThrottlingFactor: 0.5,
  preloadedImagesVerificationAllowlist: ['quay.io/*'],
  qosReserved: { memory: '50%' },
  registerWithTaints: [{ key: 'dedicated', effect: 'NoExecute' }],
  reservedMemory: [{ numaNode: 0, limits: { memory: '100Mi' } }],
  reservedSystemCPUs: '0-1',
  shutdownGracePeriodByPodPriority: [{ priority: 5, shutdownGracePeriodSeconds: 9 }],
  singleProcessOOMKill: true,
  staticPodURLHeader: { accept: ['application/json'] },
  systemReserved: { cpu: '100m' },
  tlsCipherSuites: ['TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256'],
  tlsCurvePreferences: [29],
  tlsMinVersion: 'VersionTLS13',
  topologyManagerPolicy: 'best-effort',
  topologyManagerPolicyOptions: { 'prefer-closest-numa-nodes': 'true' },
  topologyManagerScope: 'pod',
  'tracing.endpoint': 'collector:4317',
  'tracing.samplingRatePerMillion': 1_000,
  'userNamespaces.idsPerPod': 131_072,
};
// A limit of parallel pulls says something only when pulls are not one after the other.
const together: Readonly<Record<string, Partial<KubeletConfiguration>>> = {
  // The options of the other format have no effect.
  'logging.options.json.infoBufferSize': { logging: { ...defaults.logging, format: 'json' } },
  'logging.options.json.splitStream': { logging: { ...defaults.logging, format: 'json' } },
  maxParallelImagePulls: { serializeImagePulls: false },
};

function other(path: string, value: unknown): unknown {
  if (path in others) return others[path];
  if (typeof value === 'boolean') return !value;
  if (typeof value === 'number') return value + 1;
  if (typeof value === 'string') return /^[\d.]+(ms|s|m|h)/.test(value) ? '77s' : '/other';
  throw new Error(`add another value for ${path} to this spec`);
}

function changed(base: KubeletConfiguration, path: string): KubeletConfiguration {
  const copy = structuredClone(base) as unknown as Record<string, unknown>;
  const keys = path.split('.');
  const last = keys.pop() ?? '';
  let place = copy;
  for (const key of keys) place = (place[key] ??= {}) as Record<string, unknown>;
  place[last] = other(path, place[last]);
  return copy as unknown as KubeletConfiguration;
}

describe('module options', () => {
  it.each(Object.keys(steeringFields))('change with %s, which is listed as effective', (path) => {
    const base = { ...defaults, ...together[path] };
    expect(steer(changed(base, path))).not.toBe(steer(base));
  });

  it('leave out what has done its work by then', () => {
    const paths = Object.keys(readingFields).filter(
      (path) => typeof defaults[path as keyof KubeletConfiguration] === 'boolean',
    );
    for (const path of paths) expect(steer(changed(defaults, path))).toBe(steer(defaults));
  });

  it('are accepted by the modules, with the defaults and with everything changed', async () => {
    const { logger, clock, values } = createFoundationValues(foundationOptions(defaults, FeatureGates.defaults()));
    const everything = Object.keys(steeringFields)
      .filter((path) => !['staticPodURL', 'containerRuntimeEndpoint', 'imageServiceEndpoint'].includes(path))
      .reduce(changed, defaults);
    for (const configuration of [defaults, everything]) {
      const config = moduleOptions(configuration, flagsOf(), facts);
      const { faults } = await checkAssembly({
        modules: [
          ...tracingModules(configuration),
          ...servingCertificateModules(configuration),
          ...serverAuthModules(configuration),
          ...imagePullRecordsModules(gateFacts(FeatureGates.defaults())),
          ...iptablesModules(configuration),
          ...kubeletModules,
        ],
        known: knownModules,
        config,
        values,
        logger,
        clock,
      });
      expect(faults).toEqual([]);
    }
  });

  it('take folders, garbage collection and seccomp from flags', () => {
    const flags = flagsOf(
      '--root-dir=/r',
      '--maximum-dead-containers=7',
      '--maximum-dead-containers-per-container=2',
      '--minimum-container-ttl-duration=3s',
      '--seccomp-default',
    );
    const options = moduleOptions(defaults, flags, facts);
    expect(options['@podwright/container-runtime']).toMatchObject({ rootDir: '/r' });
    expect(options['@podwright/volume']).toMatchObject({ rootDir: '/r' });
    expect(options['@podwright/container-gc']).toMatchObject({
      minAgeMs: 3000,
      maxPerPodContainer: 2,
      maxContainers: 7,
    });
  });

  it("take how old a measurement may be, and the files of the machine's IDs, from cAdvisor's flags", () => {
    const flags = flagsOf('--housekeeping-interval=30s', '--machine-id-file=/m', '--boot-id-file=/b');
    const ids = { machineIdFile: '/m', bootIdFile: '/b' };
    const options = moduleOptions(defaults, flags, facts);
    expect(options['@podwright/cgroup-stats']).toMatchObject({ maxAgeMs: 30_000, ...ids });
    const inCluster = clusterOptions(defaults, flags, facts, FeatureGates.defaults());
    expect(inCluster['@podwright/node-status#reporter']).toMatchObject(ids);
  });

  it.each([
    [true, 'unix:///run/containerd/containerd.sock', true],
    [false, 'unix:///run/containerd/containerd.sock', false],
    [false, 'unix:///var/run/crio/crio.sock', true],
  ])('with isolation of local storage %s and %s show file systems: %s', (isolation, endpoint, fileSystems) => {
    const more = { localStorageCapacityIsolation: isolation, containerRuntimeEndpoint: endpoint };
    const options = moduleOptions({ ...defaults, ...more }, flagsOf(), facts);
    expect(options['@podwright/cgroup-stats']).toMatchObject({ fileSystems });
  });

  it('say when logs are rotated, or in upstream words why they cannot be', () => {
    const configuration = {
      ...defaults,
      containerLogMaxSize: '1.5Ki',
      containerLogMaxFiles: 3,
      containerLogMaxWorkers: 2,
      containerLogMonitorInterval: '5s',
    };
    expect(moduleOptions(configuration, flagsOf(), facts)['@podwright/log-rotation']).toEqual({
      maxSizeBytes: 1536,
      maxFiles: 3,
      workers: 2,
      intervalMs: 5_000,
      podLogsDir: '/var/log/pods',
    });
    const start = 'failed to initialize container log manager: failed to parse container log max size';
    for (const [containerLogMaxSize, problem] of [
      ['1500m', `${start} "1500m": invalid max log size`],
      ['much', `${start} "much": `],
    ] as const) {
      expect(() => moduleOptions({ ...defaults, containerLogMaxSize }, flagsOf(), facts)).toThrow(problem);
    }
    expect(moduleOptions({ ...defaults, containerLogMaxSize: '-1' }, flagsOf(), facts)).toMatchObject({
      '@podwright/log-rotation': { maxSizeBytes: -1 },
    });
  });

  const qosReservedPercent = (qosReserved: Readonly<Record<string, string>>): unknown =>
    moduleOptions({ ...defaults, qosReserved }, flagsOf(), facts)['@podwright/cgroup']?.['qosReservedMemoryPercent'];

  it.each([
    [{}, 0],
    [{ memory: '50%' }, 50],
    [{ memory: '+100%%' }, 100],
  ])('reserve %j for higher QoS classes', (qosReserved, expected) => {
    expect(qosReservedPercent(qosReserved)).toBe(expected);
  });

  it.each<[Record<string, string>, string]>([
    [{ cpu: '50%' }, 'cannot reserve "cpu" resource'],
    [{ memory: '50' }, `failed to parse percentage "50" for "memory" resource: percentage expected, got '50'`],
    [{ memory: 'x%' }, `failed to parse percentage "x%" for "memory" resource: invalid number in percentage 'x%'`],
    [
      { memory: '101%' },
      'failed to parse percentage "101%" for "memory" resource: percentage must be between 0 and 100',
    ],
  ])('refuse to reserve %j for higher QoS classes', (qosReserved, problem) => {
    const words = `failed to run Kubelet: --qos-reserved value failed to parse: ${problem}`;
    expect(() => qosReservedPercent(qosReserved)).toThrow(words);
  });

  it('say how images are pulled, and with whose credentials', () => {
    const flags = {
      ...flagsOf(),
      rootDir: '/var/lib/k',
      imageCredentialProviderConfig: '/etc/providers',
      imageCredentialProviderBinDir: '/opt/bin',
    };
    const configuration = {
      ...defaults,
      serializeImagePulls: false,
      maxParallelImagePulls: 4,
      imagePullCredentialsVerificationPolicy: 'NeverVerifyAllowlistedImages',
      preloadedImagesVerificationAllowlist: ['quay.io/*'],
    };
    const options = moduleOptions(configuration, flags, facts);
    expect(options['@podwright/image']).toMatchObject({ parallelPulls: 4 });
    expect(options['@podwright/image-credentials']).toEqual({
      rootDir: '/var/lib/k',
      providerConfig: '/etc/providers',
      providerBinDir: '/opt/bin',
      serviceAccountTokens: true,
    });
    expect(options['@podwright/image-pull-records']).toEqual({
      rootDir: '/var/lib/k',
      verificationPolicy: 'NeverVerifyAllowlistedImages',
      allowlist: ['quay.io/*'],
      maxPods: 110,
      parallelPulls: 4,
    });
    const off = { KubeletEnsureSecretPulledImages: false, KubeletServiceAccountTokenForCredentialProviders: false };
    const without = moduleOptions(configuration, flags, facts, gatesOf(off));
    expect(without['@podwright/image-pull-records']).toBeUndefined();
    expect(without['@podwright/image-credentials']).toMatchObject({ serviceAccountTokens: false });
  });

  it('name no collector for an empty endpoint', () => {
    const endpointOf = (endpoint: string): unknown => {
      const configuration = defaultKubeletConfiguration({ tracing: { endpoint } });
      return moduleOptions(configuration, flagsOf(), facts, FeatureGates.defaults())['@podwright/tracing']?.[
        'endpoint'
      ];
    };
    expect([endpointOf('h:1'), endpointOf('')]).toEqual(['h:1', undefined]);
  });

  it('say when images go', () => {
    const configuration = {
      ...defaultKubeletConfiguration({}),
      imageGCHighThresholdPercent: 70,
      imageGCLowThresholdPercent: 60,
      imageMinimumGCAge: '1m',
      imageMaximumGCAge: '2h',
    };
    const { flags } = parseKubeletFlags([]);
    const gates = FeatureGates.defaults().withMap({ RuntimeClassInImageCriApi: true });
    expect(moduleOptions(configuration, flags, facts, gates)['@podwright/image-gc']).toEqual({
      highThresholdPercent: 70,
      lowThresholdPercent: 60,
      minAgeMs: 60_000,
      maxAgeMs: 7_200_000,
      runtimeClassInImageCriApi: true,
    });
  });

  it('of each gate arrive at each of its modules', () => {
    // One pleg takes the place of the other.
    const listing = FeatureGates.defaults().withMap({ EventedPLEG: false });
    const configured = {
      ...moduleOptions(defaults, flagsOf(), facts, listing),
      ...moduleOptions(defaults, flagsOf(), facts),
      ...clusterOptions(defaults, flagsOf('--kubeconfig', '/k'), facts, FeatureGates.defaults()),
    };
    const missing = gateSwitches.flatMap(({ option, modules }) =>
      modules.filter(({ name }) => configured[name]?.[option] === undefined).map(({ name }) => `${name} ${option}`),
    );
    expect(missing).toEqual([]);
  });

  it('say that the node limits swap, to whoever gives it and to whoever resizes', () => {
    const options = moduleOptions(defaults, flagsOf(), { ...facts, swapControllerAvailable: true });
    for (const name of ['@podwright/linux-resources', '@podwright/allocation'])
      expect(options[name]).toMatchObject({ swapControllerAvailable: true });
  });

  it('take every cgroup driver that is not systemd for cgroupfs', () => {
    const options = moduleOptions({ ...defaults, cgroupDriver: 'x' }, flagsOf(), facts);
    for (const name of ['@podwright/cgroup', '@podwright/cgroup#driver', '@podwright/cgroup-stats'])
      expect(options[name]).toMatchObject({ cgroupDriver: 'cgroupfs' });
  });

  it('go by feature gates', () => {
    const gates = FeatureGates.defaults().withMap({ HostnameOverride: false, EnvFiles: false });
    const pick = (options: ReturnType<typeof moduleOptions>): unknown => {
      const { hostnameOverride, envFiles } = options['@podwright/container-environment'] ?? {};
      return [hostnameOverride, envFiles];
    };
    expect(pick(moduleOptions(defaults, flagsOf(), facts))).toEqual([true, true]);
    expect(pick(moduleOptions(defaults, flagsOf(), facts, gates))).toEqual([false, false]);
  });

  it.each([
    ['20s', {}, 10_000, 20_000],
    ['2s', {}, 2_000, 2_000],
    [undefined, {}, 10_000, 300_000],
    ['20s', { ReduceDefaultCrashLoopBackOffDecay: true }, 1_000, 20_000],
    ['300s', { ReduceDefaultCrashLoopBackOffDecay: true }, 1_000, 300_000],
    [undefined, { ReduceDefaultCrashLoopBackOffDecay: true, KubeletCrashLoopBackOffMax: false }, 1_000, 60_000],
    [undefined, { KubeletCrashLoopBackOffMax: false }, 10_000, 300_000],
  ])('pauses of a crash loop, longest %s, gates %j', (maxContainerRestartPeriod, gates, firstMs, longestMs) => {
    // What counts is what the module makes of the options: above its own first pause that stays.
    const crashLoopBackOff = { ...(maxContainerRestartPeriod !== undefined && { maxContainerRestartPeriod }) };
    const options = moduleOptions({ ...defaults, crashLoopBackOff }, flagsOf(), facts, gatesOf(gates));
    expect(containerRuntimeConfigSchema.decode(options['@podwright/container-runtime'])).toMatchObject({
      ok: true,
      value: { containerRestartBackOffInitialMs: firstMs, containerRestartBackOffMaxMs: longestMs },
    });
  });

  it('say what the node is', () => {
    const flags = flagsOf(
      '--node-labels=zone=a',
      '--cloud-provider=external',
      '--experimental-allocatable-ignore-eviction',
    );
    const gates = gatesOf({ ExtendWebSocketsToKubelet: false });
    expect(moduleOptions(defaults, flags, facts, gates)['@podwright/node-status']).toMatchObject({
      nodeName: 'node',
      nodeLabels: { zone: 'a' },
      externalCloudProvider: true,
      ignoreHardEviction: true,
      featureGates: expect.not.arrayContaining(['ExtendWebSocketsToKubelet']) as unknown,
    });
  });

  it.each([
    ['PodLevelResources', 'podLevelResources', true],
    ['TaintTolerationComparisonOperators', 'tolerationComparisons', false],
    ['NodeDeclaredFeatures', 'nodeDeclaredFeatures', true],
  ])('gate %s steers admission', (gate, option, usual) => {
    const of = (value: boolean): unknown =>
      moduleOptions(defaults, flagsOf(), facts, gatesOf({ [gate]: value }))['@podwright/admission']?.[option];
    expect([of(true), of(false)]).toEqual([true, false]);
    expect(moduleOptions(defaults, flagsOf(), facts)['@podwright/admission']?.[option]).toBe(usual);
  });

  it('gate ContainerStopSignals steers what containers are made with and what their status shows', () => {
    const on = moduleOptions(defaults, flagsOf(), facts, gatesOf({ ContainerStopSignals: true }));
    for (const name of ['@podwright/container-runtime', '@podwright/pod-sync']) {
      expect(on[name]).toMatchObject({ containerStopSignals: true });
      expect(moduleOptions(defaults, flagsOf(), facts)[name]).toMatchObject({ containerStopSignals: false });
    }
  });
});

function gatesOf(map: Readonly<Record<string, boolean>>): FeatureGates {
  return FeatureGates.defaults().withMap(map);
}

describe('addresses of the node', () => {
  it.each<[readonly string[], readonly string[], readonly string[]]>([
    [[], [], facts.nodeIps],
    [['--cloud-provider=external'], [], []],
    [['--cloud-provider=external'], ['::'], facts.nodeIps],
  ])('with %j and --node-ip %j', (argv, givenNodeIps, expected) => {
    const given = { ...facts, givenNodeIps };
    const api = clusterOptions(defaults, flagsOf(...argv), given, FeatureGates.defaults());
    expect(api['@podwright/node-status#api']).toMatchObject({ nodeIps: expected });
    const local = moduleOptions(defaults, flagsOf(...argv), given);
    expect(local['@podwright/node-status']).toMatchObject({ nodeIps: facts.nodeIps });
    expect(local['@podwright/pod-sync']).toMatchObject({ nodeIps: givenNodeIps });
    expect(local['@podwright/container-environment']).toMatchObject({ nodeIps: givenNodeIps });
  });
});
