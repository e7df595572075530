import { notYetEffective, type KubeletConfiguration } from '@podwright/kubelet-configuration';

/**
 * KubeletConfiguration fields that configure a module, each with the first version of this app in which it does. A path
 * covers everything below it.
 */
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
  'contentType',
  'cpuCFSQuota',
  'cpuCFSQuotaPeriod',
  'cpuManagerPolicy',
  'cpuManagerPolicyOptions',
  'cpuManagerReconcilePeriod',
  'crashLoopBackOff.maxContainerRestartPeriod',
  'enableControllerAttachDetach',
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
  'logging.flushFrequency',
  'logging.format',
  'logging.options.json.infoBufferSize',
  'logging.options.json.splitStream',
  'logging.options.text.infoBufferSize',
  'logging.options.text.splitStream',
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
  'podCIDR',
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
  'volumePluginDir',
  'volumeStatsAggPeriod',
]);

/** Fields that take effect before a module exists: they decide about validity, defaults, the modules or the process. */
export const readingFields: Readonly<Record<string, string>> = since('0.1.0', [
  'failCgroupV1',
  'featureGates',
  'makeIPTablesUtilChains',
  'maxOpenFiles',
  'mergeDefaultEvictionSettings',
  'runOnce',
]);

/** Fields that do less than upstream's, each with what it does. A path covers everything below it. */
export const partlyEffectiveFields: Readonly<Record<string, string>> = {
  kernelMemcgNotification: 'on cgroup v1 the kubelet reads memory usage every second; the kernel sends no notification',
  showHiddenMetricsForVersion: 'shows scrape_error in /metrics/resource; nothing else is hidden',
};

/**
 * Fields that nothing can honour here or that upstream's kubelet does not use either, each with the reason. A path
 * covers everything below it.
 */
export const fieldsWithoutCounterpart: Readonly<Record<string, string>> = {
  enableContentionProfiling: 'no thread of this process blocks another, so /debug/pprof/ has no profile of that',
  hairpinMode: 'obsolete: v1.36 checks the value and does not use it; network plugins decide',
  iptablesDropBit: 'obsolete: v1.36 checks the value and does not use it; the kubelet makes no such rules any more',
  iptablesMasqueradeBit:
    'obsolete: v1.36 checks the value and does not use it; the kubelet makes no such rules any more',
  streamingConnectionIdleTimeout: 'obsolete: v1.36 does not use it; sessions without traffic end after four hours',
};

const honoured: ReadonlySet<string> = new Set([...Object.keys(steeringFields), ...Object.keys(readingFields)]);

/** Fields that are set to other values than the default and have partial effect, each with what it does. */
export function partlyHonouredFields(configuration: KubeletConfiguration): Readonly<Record<string, string>> {
  return setFieldsOf(partlyEffectiveFields, configuration);
}

/** Fields that are set to other values than the default and have no counterpart, each with the reason. */
export function pointlessFields(configuration: KubeletConfiguration): Readonly<Record<string, string>> {
  return setFieldsOf(fieldsWithoutCounterpart, configuration);
}

function setFieldsOf(
  fields: Readonly<Record<string, string>>,
  configuration: KubeletConfiguration,
): Readonly<Record<string, string>> {
  const inert = notYetEffective(configuration, honoured);
  return Object.fromEntries(Object.entries(fields).filter(([field]) => inert.includes(field)));
}

function since(version: string, fields: readonly string[]): Readonly<Record<string, string>> {
  return Object.fromEntries(fields.map((field) => [field, version]));
}
