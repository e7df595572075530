import { describe, expect, it } from '@jest/globals';
import { defaultKubeletConfiguration, legacyKubeletConfiguration } from '../defaults.js';
import { parseKubeletFlags } from '../flags/parse-flags.js';
import type { PartialKubeletConfiguration } from '../kubelet-configuration.js';
import { validateStartup } from './startup.js';
import { validateKubeletConfiguration } from './validate.js';

/** Faults stand without `invalid configuration: `, which is checked once. */
const cases: readonly [PartialKubeletConfiguration, ...string[]][] = [
  [{}],
  [{ featureGates: { Nope: true } }, 'unrecognized feature gate: Nope'],
  [
    { featureGates: { GracefulNodeShutdown: false } },
    'GracefulNodeShutdownBasedOnPodPriority is enabled, but depends on features that are disabled: [GracefulNodeShutdown]',
    'WindowsGracefulNodeShutdown is enabled, but depends on features that are disabled: [GracefulNodeShutdown]',
  ],
  [{ nodeLeaseDurationSeconds: -1 }, 'nodeLeaseDurationSeconds must be greater than 0'],
  [
    { systemCgroups: '/a' },
    'systemCgroups (--system-cgroups) was specified and cgroupRoot (--cgroup-root) was not specified',
  ],
  [
    { eventBurst: -1, kubeAPIQPS: -1 },
    'eventBurst (--event-burst) -1 must not be a negative number',
    'kubeAPIQPS (--kube-api-qps) -1 must not be a negative number',
  ],
  [{ healthzPort: 65536 }, 'healthzPort (--healthz-port) 65536 must be between 1 and 65535, inclusive'],
  [{ port: 65536 }, 'port (--port) 65536 must be between 1 and 65535, inclusive'],
  [{ readOnlyPort: -1 }, 'readOnlyPort (--read-only-port) -1 must be between 0 and 65535, inclusive'],
  [
    { cpuCFSQuotaPeriod: '2s' },
    'cpuCFSQuotaPeriod (--cpu-cfs-quota-period) {2s} must be between 1ms and 1sec, inclusive',
  ],
  [
    { cpuCFSQuotaPeriod: '50ms', featureGates: { CustomCPUCFSQuotaPeriod: false } },
    'cpuCFSQuotaPeriod (--cpu-cfs-quota-period) {50ms} requires feature gate CustomCPUCFSQuotaPeriod',
  ],
  [
    { imageGCHighThresholdPercent: 101 },
    'imageGCHighThresholdPercent (--image-gc-high-threshold) 101 must be between 0 and 100, inclusive',
  ],
  [
    { imageGCHighThresholdPercent: 80 },
    'imageGCLowThresholdPercent (--image-gc-low-threshold) 80 must be less than imageGCHighThresholdPercent (--image-gc-high-threshold) 80',
  ],
  [{ imageMaximumGCAge: '1m0s' }, 'imageMaximumGCAge 1m0s must be greater than imageMinimumGCAge 2m0s'],
  [{ oomScoreAdj: 1001 }, 'oomScoreAdj (--oom-score-adj) 1001 must be between -1000 and 1000, inclusive'],
  [{ maxParallelImagePulls: 0 }, 'maxParallelImagePulls 0 must be a positive number'],
  [
    { maxParallelImagePulls: 2, serializeImagePulls: true },
    'maxParallelImagePulls cannot be larger than 1 unless SerializeImagePulls (--serialize-image-pulls) is set to false',
  ],
  [{ runOnce: true }, 'runOnce (--runOnce) true, Runonce mode has been deprecated and should not be set'],
  [
    { topologyManagerPolicy: 'x' },
    'topologyManagerPolicy (--topology-manager-policy) "x" must be one of: ["none" "best-effort" "restricted" "single-numa-node"]',
  ],
  [
    { topologyManagerScope: 'x' },
    'topologyManagerScope (--topology-manager-scope) "x" must be one of: "container", or "pod"',
  ],
  [{ shutdownGracePeriod: '500ms' }, 'shutdownGracePeriod {500ms} must be either zero or otherwise >= 1 sec'],
  [
    { shutdownGracePeriod: '10s', shutdownGracePeriodCriticalPods: '20s' },
    'shutdownGracePeriodCriticalPods {20s} must be <= shutdownGracePeriod {10s}',
  ],
  [
    { shutdownGracePeriod: '10s', shutdownGracePeriodByPodPriority: [{ priority: 0, shutdownGracePeriodSeconds: 1 }] },
    'Cannot specify both shutdownGracePeriodByPodPriority and shutdownGracePeriod at the same time',
  ],
  [
    { memorySwap: { swapBehavior: 'Some' } },
    'memorySwap.swapBehavior "Some" must be one of: "", "LimitedSwap" or "NoSwap"',
  ],
  [
    { crashLoopBackOff: { maxContainerRestartPeriod: '10m0s' } },
    'CrashLoopBackOff.MaxContainerRestartPeriod (got: 600 seconds) must be set between 1s and 300s',
  ],
  [
    { enforceNodeAllocatable: ['pods', 'pods'] },
    'duplicated enforcements "pods" in enforceNodeAllocatable (--enforce-node-allocatable)',
  ],
  [
    { enforceNodeAllocatable: ['none', 'pods'] },
    'enforceNodeAllocatable (--enforce-node-allocatable) may not contain additional enforcements when "none" is specified',
  ],
  [
    { cgroupsPerQOS: false },
    'cgroupsPerQOS (--cgroups-per-qos) must be set to true when "pods" contained in enforceNodeAllocatable (--enforce-node-allocatable)',
  ],
  [
    { enforceNodeAllocatable: ['x'] },
    'option "x" specified for enforceNodeAllocatable (--enforce-node-allocatable). Valid options are "pods", "system-reserved", "system-reserved-compressible", "kube-reserved", "kube-reserved-compressible" or "none"',
  ],
  [
    { hairpinMode: 'x' },
    'option "x" specified for hairpinMode (--hairpin-mode). Valid options are "none", "hairpin-veth" or "promiscuous-bridge"',
  ],
  [
    { imagePullCredentialsVerificationPolicy: 'x' },
    'option "x" specified for imagePullCredentialsVerificationPolicy. Valid options are "NeverVerify", "NeverVerifyPreloadedImages", "NeverVerifyAllowlistedImages" or "AlwaysVerify"',
  ],
  [
    {
      imagePullCredentialsVerificationPolicy: 'NeverVerifyAllowlistedImages',
      preloadedImagesVerificationAllowlist: ['quay.io/a/*', 'b:1', '*'],
    },
    'invalid image pattern in `preloadedImagesVerificationAllowlist`: neither tag nor digest is accepted in an image reference: b:1',
  ],
  [
    { reservedSystemCPUs: '3-1' },
    'unable to parse reservedSystemCPUs (--reserved-cpus) 3-1, error: invalid range "3-1" (3 > 1)',
  ],
  [
    { reservedMemory: [{ numaNode: 0, limits: { memory: '0' } }] },
    'reserved memory may not be zero for NUMA node 0 and resource "memory"',
  ],
  [
    {
      reservedMemory: [
        { numaNode: 0, limits: { memory: '1' } },
        { numaNode: 0, limits: { memory: '1' } },
      ],
    },
    'the reserved memory has a duplicate value for NUMA node 0 and resource "memory"',
  ],
  [
    { enforceNodeAllocatable: ['kube-reserved-compressible', 'kube-reserved'], kubeReservedCgroup: '/kube' },
    'both "kube-reserved" and "kube-reserved-compressible" cannot be specified together in enforceNodeAllocatable (--enforce-node-allocatable)',
  ],
  [{ systemReserved: { disk: '1' } }, 'systemReserved (--system-reserved): cannot reserve "disk" resource'],
  [{ memoryThrottlingFactor: 1.5 }, 'memoryThrottlingFactor 1.5 must be greater than 0 and less than or equal to 1.0'],
  [
    { memoryReservationPolicy: 'TieredReservation' },
    'memoryReservationPolicy "TieredReservation" requires MemoryQoS feature gate to be enabled',
  ],
  [{ containerRuntimeEndpoint: '' }, 'the containerRuntimeEndpoint was not specified or empty'],
  [
    { enableSystemLogQuery: true, enableSystemLogHandler: false },
    'enableSystemLogHandler is required for enableSystemLogQuery',
  ],
  [{ containerLogMaxWorkers: 0 }, 'containerLogMaxWorkers must be greater than or equal to 1'],
  [
    { containerLogMonitorInterval: '2s' },
    'containerLogMonitorInterval must be a positive time duration greater than or equal to 3s',
  ],
  [{ containerLogMaxFiles: 1 }, 'containerLogMaxFiles must be greater than 1'],
  [{ podLogsDir: 'var/log' }, 'pod logs path "var/log" must be absolute path'],
  [{ podLogsDir: '/var/log/' }, 'pod logs path "/var/log/" must be normalized'],
  [{ userNamespaces: { idsPerPod: 5 } }, 'userNamespaces.idsPerPod must not be less than 65536'],
  [{ userNamespaces: { idsPerPod: 65537 } }, 'userNamespaces.idsPerPod must be a multiple of 65536'],
  [{ userNamespaces: { idsPerPod: 2 ** 33 } }, 'userNamespaces.idsPerPod must not be more than 4294967295'],
  [{ registerWithTaints: [{ key: 'a', effect: 'Maybe' }] }, 'invalid taint: {a  Maybe <nil>}'],
  [{ featureGates: { LoggingBetaOptions: false } }],
  [
    { logging: { format: 'json', flushFrequency: '-1s' }, featureGates: { LoggingBetaOptions: false } },
    'logging.flushFrequency: Invalid value: "-1s": Must be greater than zero',
    'logging.format: Forbidden: Log format json is disabled, see LoggingBetaOptions feature',
  ],
  [{ logging: { format: 'xml' } }, 'logging.format: Invalid value: "xml": Unsupported log format'],
  [
    { logging: { options: { json: { splitStream: true } } } },
    'logging.options.json.splitStream: Forbidden: Feature LoggingAlphaOptions is disabled',
  ],
  [
    { tracing: { samplingRatePerMillion: -1 } },
    'tracing.samplingRatePerMillion: Invalid value: -1: sampling rate must be positive',
  ],
  [
    { tracing: { endpoint: 'http://x' } },
    'tracing.endpoint: Invalid value: "http://x": unsupported scheme: http.  Options are none, dns, unix, or unix-abstract.  See https://github.com/grpc/grpc/blob/master/doc/naming.md',
  ],
  [
    { tracing: { endpoint: '%zz', samplingRatePerMillion: 1_000_001 } },
    'tracing.samplingRatePerMillion: Invalid value: 1000001: sampling rate per million must be less than or equal to one million',
    'tracing.endpoint: Invalid value: "dns://%zz": parse "dns://%zz": invalid URL escape "%zz"',
  ],
  [
    { tracing: { endpoint: 'a b' } },
    'tracing.endpoint: Invalid value: "dns://a b": parse "dns://a b": invalid character " " in host name',
  ],
  [
    { tracing: { endpoint: 'dns://[::1' } },
    `tracing.endpoint: Invalid value: "dns://[::1": parse "dns://[::1": missing ']' in host`,
  ],
  [
    { tracing: { endpoint: 'h:x' } },
    'tracing.endpoint: Invalid value: "dns://h:x": parse "dns://h:x": invalid port ":x" after host',
  ],
  [
    { tracing: { endpoint: '\n' } },
    String.raw`tracing.endpoint: Invalid value: "dns://\n": parse "dns://\n": net/url: invalid control character in URL`,
  ],
  [
    { showHiddenMetricsForVersion: '1.30' },
    `invalid showHiddenMetricsForVersion: showHiddenMetricsForVersion: Invalid value: "1.30": must be omitted or have the value '1.35'; only the previous minor version is allowed`,
  ],
];

describe('validateKubeletConfiguration', () => {
  it.each(cases)('%j', (given, ...faults) => {
    const found = validateKubeletConfiguration(defaultKubeletConfiguration(given));
    expect(found.map((fault) => fault.replace(/^invalid configuration: /, ''))).toEqual(faults);
  });

  it.each(['', 'localhost:4317', '::1:4317', 'unix:///run/x', 'dns:///h:1', 'unix:/run/x'])(
    'takes the tracing endpoint %j',
    (endpoint) => {
      expect(validateKubeletConfiguration(defaultKubeletConfiguration({ tracing: { endpoint } }))).toEqual([]);
    },
  );

  it('marks its own faults', () => {
    expect(validateKubeletConfiguration(defaultKubeletConfiguration({ maxPods: -1 }))).toEqual([
      'invalid configuration: maxPods (--max-pods) -1 must not be a negative number',
    ]);
  });

  it('accepts the values of a run without a file', () => {
    expect(validateKubeletConfiguration(legacyKubeletConfiguration())).toEqual([]);
  });

  it('judges cgroup v1 only when told of it', () => {
    const configuration = defaultKubeletConfiguration({ singleProcessOOMKill: false });
    expect(validateKubeletConfiguration(configuration, { cgroupVersion: 2 })).toEqual([]);
    expect(validateKubeletConfiguration(configuration, { cgroupVersion: 1 })).toEqual([
      expect.stringContaining('configured to not run on a host using cgroup v1'),
      expect.stringContaining('singleProcessOOMKill must not be explicitly set to false'),
    ]);
  });
});

describe('validateStartup', () => {
  it.each([
    [['--root-dir='], ['failed to create kubelet: invalid root directory "" (--root-dir)']],
    [['--root-dir=/a/../b/'], []],
    [
      ['--cloud-provider=aws', '--exit-on-lock-contention'],
      [
        'cannot exit on lock file contention: no lock file specified (--lock-file)',
        'failed to create kubelet: cloud provider "aws" was specified, but built-in cloud providers are disabled. Please set --cloud-provider=external and migrate to an external cloud provider',
      ],
    ],
  ])('%j', (argv, faults) => {
    const { flags } = parseKubeletFlags(argv);
    expect(validateStartup(flags, legacyKubeletConfiguration())).toEqual(faults);
  });

  it.each<[PartialKubeletConfiguration, string | undefined, string?]>([
    [
      { syncFrequency: '-1s' },
      'failed to create kubelet: invalid sync frequency -1000000000 (syncFrequency: -1s, must be above 0)',
    ],
    [{ configMapAndSecretChangeDetectionStrategy: 'Poll' }, undefined],
    [
      { configMapAndSecretChangeDetectionStrategy: 'Poll' },
      'failed to create kubelet: unknown configmap and secret manager mode: Poll (configMapAndSecretChangeDetectionStrategy: Get, Cache, Watch)',
      '--kubeconfig=/k',
    ],
    [{ cgroupDriver: 'x' }, undefined],
    [
      { authorization: { mode: 'Some' } },
      'unknown authorization mode Some (authorization.mode: AlwaysAllow or Webhook)',
    ],
  ])('%j: %s', (given, fault, flag = '--node-labels=node.kubernetes.io/x=y,mine=z') => {
    const { flags } = parseKubeletFlags([flag]);
    const faults = validateStartup(flags, defaultKubeletConfiguration(given));
    expect(faults).toEqual(fault === undefined ? [] : [fault]);
  });

  it.each([
    [
      1,
      [
        'swap feature is enabled and LimitedSwap but it is only supported with cgroupv2 (memorySwap.swapBehavior: NoSwap)',
      ],
    ],
    [2, []],
  ] as const)('swap of pods on cgroup v%i', (version, faults) => {
    const configuration = defaultKubeletConfiguration({ memorySwap: { swapBehavior: 'LimitedSwap' } });
    expect(validateStartup(parseKubeletFlags([]).flags, configuration, version)).toEqual(faults);
  });

  it('leaves policies and their options to the managers that have them', () => {
    const { flags } = parseKubeletFlags([]);
    const configuration = defaultKubeletConfiguration({
      ...{
        cpuManagerPolicy: 'x',
        cpuManagerPolicyOptions: { 'align-by-socket': 'true' },
        memoryManagerPolicy: 'static',
      },
      topologyManagerPolicyOptions: { x: 'true' },
    });
    expect(validateStartup(flags, configuration)).toEqual([]);
  });
});
