import { notYetEffective, type KubeletConfiguration } from '@podwright/kubelet-configuration';

/** Since which version of this app a field of the KubeletConfiguration steers a part; a path covers everything below it. */
export const steeringFields: Readonly<Record<string, string>> = since('0.1.0', [
  'address',
  'allowedUnsafeSysctls',
  'authentication.anonymous.enabled',
  'authentication.webhook.cacheTTL',
  'authentication.webhook.enabled',
  'authentication.x509.clientCAFile',
  'authorization.mode',
  'authorization.webhook.cacheAuthorizedTTL',
  'authorization.webhook.cacheUnauthorizedTTL',
  'cgroupDriver',
  'cgroupRoot',
  'cgroupsPerQOS',
  'clusterDNS',
  'clusterDomain',
  'configMapAndSecretChangeDetectionStrategy',
  'containerLogMaxFiles',
  'containerLogMaxSize',
  'containerLogMaxWorkers',
  'containerLogMonitorInterval',
  'containerRuntimeEndpoint',
  'cpuCFSQuota',
  'cpuCFSQuotaPeriod',
  'cpuManagerPolicy',
  'cpuManagerPolicyOptions',
  'cpuManagerReconcilePeriod',
  'crashLoopBackOff.maxContainerRestartPeriod',
  'enableServer',
  'enforceNodeAllocatable',
  'failSwapOn',
  'enableDebugFlagsHandler',
  'enableDebuggingHandlers',
  'enableProfilingHandler',
  'enableSystemLogHandler',
  'enableSystemLogQuery',
  'eventBurst',
  'eventRecordQPS',
  'evictionHard',
  'evictionMaxPodGracePeriod',
  'evictionMinimumReclaim',
  'evictionPressureTransitionPeriod',
  'evictionSoft',
  'evictionSoftGracePeriod',
  'fileCheckFrequency',
  'healthzBindAddress',
  'healthzPort',
  'httpCheckFrequency',
  'imageGCHighThresholdPercent',
  'imageGCLowThresholdPercent',
  'imageMaximumGCAge',
  'imageMinimumGCAge',
  'imagePullCredentialsVerificationPolicy',
  'imageServiceEndpoint',
  'kubeAPIBurst',
  'kubeAPIQPS',
  'kubeReserved',
  'kubeReservedCgroup',
  'kubeletCgroups',
  'localStorageCapacityIsolation',
  'logging.format',
  'logging.verbosity',
  'logging.vmodule',
  'maxParallelImagePulls',
  'maxPods',
  'memoryManagerPolicy',
  'memoryReservationPolicy',
  'memorySwap.swapBehavior',
  'memoryThrottlingFactor',
  'nodeLeaseDurationSeconds',
  'nodeStatusMaxImages',
  'nodeStatusReportFrequency',
  'nodeStatusUpdateFrequency',
  'oomScoreAdj',
  'podLogsDir',
  'podPidsLimit',
  'podsPerCore',
  'port',
  'protectKernelDefaults',
  'preloadedImagesVerificationAllowlist',
  'providerID',
  'qosReserved',
  'readOnlyPort',
  'registerNode',
  'registerWithTaints',
  'registryBurst',
  'registryPullQPS',
  'reservedMemory',
  'reservedSystemCPUs',
  'resolvConf',
  'rotateCertificates',
  'runtimeRequestTimeout',
  'seccompDefault',
  'serializeImagePulls',
  'serverTLSBootstrap',
  'shutdownGracePeriod',
  'shutdownGracePeriodByPodPriority',
  'shutdownGracePeriodCriticalPods',
  'singleProcessOOMKill',
  'staticPodPath',
  'staticPodURL',
  'staticPodURLHeader',
  'streamingConnectionIdleTimeout',
  'syncFrequency',
  'systemCgroups',
  'systemReserved',
  'systemReservedCgroup',
  'tlsCertFile',
  'tlsCipherSuites',
  'tlsCurvePreferences',
  'tlsMinVersion',
  'tlsPrivateKeyFile',
  'topologyManagerPolicy',
  'topologyManagerPolicyOptions',
  'topologyManagerScope',
  'tracing.endpoint',
  'tracing.samplingRatePerMillion',
  'userNamespaces.idsPerPod',
  'volumeStatsAggPeriod',
]);

/** Fields that have done their work when the configuration has been read: they decide what is valid or a default. */
export const readingFields: Readonly<Record<string, string>> = since('0.1.0', [
  'failCgroupV1',
  'featureGates',
  'mergeDefaultEvictionSettings',
  'runOnce',
]);

/** Fields that steer something, but not all that upstream does with them, and what is honoured; a path covers everything below it. */
export const partlyEffectiveFields: Readonly<Record<string, string>> = {
  enableControllerAttachDetach: 'only in the annotations of the Node object',
  kernelMemcgNotification: 'on cgroup v1 memory usage is looked at every second; the kernel is not asked to tell',
  showHiddenMetricsForVersion: 'shows scrape_error in /metrics/resource; nothing else is hidden',
};

const honouredInFull: ReadonlySet<string> = new Set([...Object.keys(steeringFields), ...Object.keys(readingFields)]);
const honoured: ReadonlySet<string> = new Set([...honouredInFull, ...Object.keys(partlyEffectiveFields)]);

/** Fields that were set to something else than the default and that no part honours. */
export function inertFields(configuration: KubeletConfiguration): readonly string[] {
  return notYetEffective(configuration, honoured);
}

/** Fields that were set to something else than the default and that are honoured in part, with what is honoured. */
export function partlyHonouredFields(configuration: KubeletConfiguration): Readonly<Record<string, string>> {
  const inert = notYetEffective(configuration, honouredInFull);
  return Object.fromEntries(Object.entries(partlyEffectiveFields).filter(([field]) => inert.includes(field)));
}

function since(version: string, fields: readonly string[]): Readonly<Record<string, string>> {
  return Object.fromEntries(fields.map((field) => [field, version]));
}
