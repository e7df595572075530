import { messageOf } from '@podwright/errors';
import type { ObjectSchema } from '@podwright/pod-manifest';
import {
  always,
  bool,
  float64,
  int32,
  int64,
  list,
  map,
  object,
  pointer,
  quantities,
  quantity,
  scalar,
  string,
  strings,
  time,
  uint32,
} from '@podwright/pod-manifest';
import { formatGoNanoseconds, parseGoNanoseconds } from '@podwright/time';

// Source: kubernetes v1.36 staging/src/k8s.io/kubelet/config/v1beta1/types.go. In `pointer` fields zero is a value; in
// all others zero means unset.

const durationText = scalar({
  expected: 'duration (string such as 1m30s)',
  zero: '0s',
  read(value) {
    if (typeof value !== 'string') return undefined;
    try {
      return { value: formatGoNanoseconds(parseGoNanoseconds(value)) };
    } catch (error) {
      return { fault: messageOf(error) };
    }
  },
});

/** As in Go, null is an empty text where it is no pointer. */
const duration = { ...durationText, nullFault: 'time: invalid duration ""' };

/** This field also accepts a number of nanoseconds, its type before it became a duration. */
const flushFrequency = scalar({
  ...durationText,
  expected: 'duration (string such as 5s, or nanoseconds)',
  read: (value) =>
    typeof value === 'number' || typeof value === 'bigint'
      ? { value: formatGoNanoseconds(BigInt(Math.trunc(Number(value)))) }
      : durationText.read(value),
});

const taint = object({ key: always(string), value: string, effect: always(string), timeAdded: time });
const logOptions = object({ splitStream: bool, infoBufferSize: quantity });

const logging = object({
  format: string,
  flushFrequency,
  verbosity: uint32,
  vmodule: list(object({ filePattern: always(string), verbosity: always(uint32) })),
  options: object({ text: logOptions, json: logOptions }),
});

const server = {
  enableServer: pointer(bool),
  address: string,
  port: int32,
  readOnlyPort: int32,
  tlsCertFile: string,
  tlsPrivateKeyFile: string,
  tlsCipherSuites: list(string),
  tlsCurvePreferences: list(int32),
  tlsMinVersion: string,
  rotateCertificates: bool,
  serverTLSBootstrap: bool,
  authentication: object({
    x509: object({ clientCAFile: string }),
    webhook: object({ enabled: pointer(bool), cacheTTL: duration }),
    anonymous: object({ enabled: pointer(bool) }),
  }),
  authorization: object({
    mode: string,
    webhook: object({ cacheAuthorizedTTL: duration, cacheUnauthorizedTTL: duration }),
  }),
  enableDebuggingHandlers: pointer(bool),
  enableContentionProfiling: bool,
  enableProfilingHandler: pointer(bool),
  enableDebugFlagsHandler: pointer(bool),
  enableSystemLogHandler: pointer(bool),
  enableSystemLogQuery: pointer(bool),
  healthzPort: pointer(int32),
  healthzBindAddress: string,
  streamingConnectionIdleTimeout: duration,
  showHiddenMetricsForVersion: string,
};

const podSources = {
  staticPodPath: string,
  staticPodURL: string,
  staticPodURLHeader: map(list(string)),
  podLogsDir: string,
  syncFrequency: duration,
  fileCheckFrequency: duration,
  httpCheckFrequency: duration,
  maxPods: int32,
  podsPerCore: int32,
  podCIDR: string,
  runOnce: bool,
  allowedUnsafeSysctls: list(string),
  registerNode: pointer(bool),
  registerWithTaints: list(taint),
  providerID: string,
};

const nodeStatus = {
  contentType: string,
  kubeAPIQPS: pointer(int32),
  kubeAPIBurst: int32,
  eventRecordQPS: pointer(int32),
  eventBurst: int32,
  nodeStatusUpdateFrequency: duration,
  nodeStatusReportFrequency: duration,
  nodeLeaseDurationSeconds: int32,
  nodeStatusMaxImages: pointer(int32),
  configMapAndSecretChangeDetectionStrategy: string,
};

const images = {
  registryPullQPS: pointer(int32),
  registryBurst: int32,
  serializeImagePulls: pointer(bool),
  maxParallelImagePulls: pointer(int32),
  imagePullCredentialsVerificationPolicy: string,
  preloadedImagesVerificationAllowlist: list(string),
  imageMinimumGCAge: duration,
  imageMaximumGCAge: duration,
  imageGCHighThresholdPercent: pointer(int32),
  imageGCLowThresholdPercent: pointer(int32),
  containerLogMaxSize: string,
  containerLogMaxFiles: pointer(int32),
  containerLogMaxWorkers: pointer(int32),
  containerLogMonitorInterval: pointer(duration),
  containerRuntimeEndpoint: string,
  imageServiceEndpoint: string,
  runtimeRequestTimeout: duration,
};

const network = {
  clusterDomain: string,
  clusterDNS: list(string),
  resolvConf: pointer(string),
  hairpinMode: string,
  makeIPTablesUtilChains: pointer(bool),
  iptablesMasqueradeBit: pointer(int32),
  iptablesDropBit: pointer(int32),
};

const resources = {
  kubeletCgroups: string,
  systemCgroups: string,
  cgroupRoot: string,
  cgroupsPerQOS: pointer(bool),
  cgroupDriver: string,
  cpuManagerPolicy: string,
  cpuManagerPolicyOptions: strings,
  cpuManagerReconcilePeriod: duration,
  memoryManagerPolicy: string,
  topologyManagerPolicy: string,
  topologyManagerScope: string,
  topologyManagerPolicyOptions: strings,
  qosReserved: strings,
  reservedMemory: list(object({ numaNode: always(int32), limits: always(quantities) })),
  podPidsLimit: pointer(int64),
  cpuCFSQuota: pointer(bool),
  cpuCFSQuotaPeriod: pointer(duration),
  oomScoreAdj: pointer(int32),
  maxOpenFiles: int64,
  protectKernelDefaults: bool,
  systemReserved: strings,
  kubeReserved: strings,
  reservedSystemCPUs: string,
  systemReservedCgroup: string,
  kubeReservedCgroup: string,
  // An explicit empty list enforces nothing; an absent one enforces pods.
  enforceNodeAllocatable: pointer(list(string)),
  failSwapOn: pointer(bool),
  memorySwap: object({ swapBehavior: string }),
  singleProcessOOMKill: pointer(bool),
  memoryThrottlingFactor: pointer(float64),
  memoryReservationPolicy: string,
  failCgroupV1: pointer(bool),
  seccompDefault: pointer(bool),
  localStorageCapacityIsolation: pointer(bool),
  userNamespaces: object({ idsPerPod: pointer(int64) }),
};

const eviction = {
  // An explicit empty map turns the default thresholds off.
  evictionHard: pointer(strings),
  evictionSoft: strings,
  evictionSoftGracePeriod: strings,
  evictionPressureTransitionPeriod: duration,
  evictionMaxPodGracePeriod: int32,
  evictionMinimumReclaim: strings,
  mergeDefaultEvictionSettings: pointer(bool),
  kernelMemcgNotification: bool,
};

const lifecycle = {
  volumeStatsAggPeriod: duration,
  enableControllerAttachDetach: pointer(bool),
  volumePluginDir: string,
  shutdownGracePeriod: duration,
  shutdownGracePeriodCriticalPods: duration,
  shutdownGracePeriodByPodPriority: list(
    object({ priority: always(int32), shutdownGracePeriodSeconds: always(int64) }),
  ),
  crashLoopBackOff: object({ maxContainerRestartPeriod: pointer(duration) }),
  featureGates: map(bool),
  logging,
  tracing: object({ endpoint: pointer(string), samplingRatePerMillion: pointer(int32) }),
};

export const kubeletConfigurationSchema: ObjectSchema = object({
  apiVersion: string,
  kind: string,
  ...server,
  ...podSources,
  ...nodeStatus,
  ...images,
  ...network,
  ...resources,
  ...eviction,
  ...lifecycle,
});
