import { admissionModule } from '@podwright/admission';
import { allocationManagerModule, allocationStateModule } from '@podwright/allocation';
import type { ConfigSchema, ConfiguredModule } from '@podwright/assembly-interface';
import { servingCertificateModule } from '@podwright/cert-rotation';
import { cgroupModule } from '@podwright/cgroup';
import { cgroupStatsModule } from '@podwright/cgroup-stats';
import { apiClusterTrustBundleModule } from '@podwright/cluster-trust-bundle';
import { localContainerEnvironmentModule } from '@podwright/container-environment';
import { containerRuntimeModule, containerRuntimeRoutesModule } from '@podwright/container-runtime';
import { containerLogsRoutesModule } from '@podwright/container-logs';
import { criClientModule } from '@podwright/cri-client';
import { cpuManagerModule } from '@podwright/cpu-manager';
import { deviceManagerModule } from '@podwright/device-manager';
import { draManagerModule } from '@podwright/dra';
import { evictionModule } from '@podwright/eviction';
import { keyringImageCredentialsModule } from '@podwright/image-credentials';
import { imageGcModule } from '@podwright/image-gc';
import { kubeClientModule, kubeconfigClientsModule } from '@podwright/kube-client';
import { kubeTransportModule, kubeTransportsModule } from '@podwright/kube-transport';
import { configurationGates, type FeatureGates } from '@podwright/kubelet-configuration';
import { podResizerModule } from '@podwright/linux-resources';
import { localApiModule } from '@podwright/local-api';
import { memoryManagerModule } from '@podwright/memory-manager';
import { gracefulNodeShutdownModule } from '@podwright/node-shutdown';
import { nodeStatusReporterModule } from '@podwright/node-status';
import { oomWatcherModule } from '@podwright/oom-watcher';
import { declaredFeatureGates } from '@podwright/kube-types';
import { grpcPodResourcesServerModule } from '@podwright/pod-resources';
import { apiPodCertificateModule } from '@podwright/pod-certificate';
import { apiPodsModule, localPodsModule, podConfigModule } from '@podwright/pod-config';
import { eventedPlegModule } from '@podwright/evented-pleg';
import { genericPlegModule } from '@podwright/pleg';
import { podSyncModule } from '@podwright/pod-sync';
import { probeModule } from '@podwright/probe';
import { serverModule } from '@podwright/server';
import { serverAuthModule } from '@podwright/server-auth';
import { onDemandStatsModule } from '@podwright/stats';
import { apiStatusModule } from '@podwright/status';
import { runtimeStreamingModule } from '@podwright/streaming';
import { syncLoopModule } from '@podwright/sync-loop';
import { topologyManagerModule } from '@podwright/topology-manager';
import { localVolumesModule } from '@podwright/volume-local';
import { volumeManagerModule } from '@podwright/volume';
import { csiVolumesModule } from '@podwright/volume-csi';

interface GateSwitch {
  /** The option is true only when all of these gates are on. */
  readonly gates: readonly string[];
  readonly option: string;
  readonly modules: readonly { readonly name: string }[];
}

/** A module with the boolean option `K`. */
interface ModuleWith<K extends string> {
  readonly name: string;
  readonly config?: ConfigSchema<{ readonly [P in K]: boolean }>;
}

const on = <K extends string>(gates: string, option: K, ...modules: readonly ModuleWith<K>[]): GateSwitch => ({
  gates: gates.split(' '),
  option,
  modules,
});

/** The modules whose options are the rules of valid pods. */
const validators = [podConfigModule, localApiModule];

/** Which feature gates set which option of which modules. Only this file checks whether a gate is on. */
export const gateSwitches: readonly GateSwitch[] = [
  on('AllowDNSOnlyNodeCSR', 'dnsOnly', servingCertificateModule),
  on('AllowParsingUserUIDFromCertAuth', 'certificateUid', serverAuthModule),
  on('CBORServingAndStorage', 'cbor', serverModule),
  on('ChangeContainerStatusOnKubeletRestart', 'changeStatusOnRestart', probeModule),
  on('ClientsAllowCARotation', 'reloadAuthority', kubeTransportModule, kubeTransportsModule),
  on('ClientsAllowCBOR', 'allowCbor', kubeClientModule, kubeconfigClientsModule),
  on('ClientsAllowCBOR ClientsPreferCBOR', 'preferCbor', kubeClientModule, kubeconfigClientsModule),
  on('ClusterTrustBundleProjection', 'enabled', apiClusterTrustBundleModule),
  on('ComponentFlagz', 'flagz', serverModule),
  on('ComponentStatusz', 'statusz', serverModule),
  on('ContainerCheckpoint', 'containerCheckpoint', containerRuntimeRoutesModule),
  on('ContainerRestartRules', 'containerRestartRules', ...validators, apiPodsModule),
  on('ContainerStopSignals', 'containerStopSignals', containerRuntimeModule, podSyncModule),
  on('CPUManagerPolicyAlphaOptions', 'alphaOptions', cpuManagerModule),
  on('CPUManagerPolicyBetaOptions', 'betaOptions', cpuManagerModule),
  on('CRIListStreaming', 'streamLists', criClientModule),
  on('CSIVolumeHealth', 'volumeHealth', csiVolumesModule, onDemandStatsModule),
  on('DisableCPUQuotaWithExclusiveCPUs', 'disableQuota', cpuManagerModule),
  on('DRAExtendedResource', 'extendedResources', admissionModule, deviceManagerModule, draManagerModule),
  on('DRANodeAllocatableResources', 'nodeAllocatableClaims', admissionModule),
  on('DRAWorkloadResourceClaims', 'groupClaims', draManagerModule),
  on('EnvFiles', 'envFiles', localContainerEnvironmentModule, ...validators),
  on('ExtendWebSocketsToKubelet', 'extendWebSockets', runtimeStreamingModule),
  on('GracefulNodeShutdown', 'enabled', gracefulNodeShutdownModule),
  on('HostnameOverride', 'hostnameOverride', localContainerEnvironmentModule),
  on('ImageVolumeWithDigest', 'imageVolumeDigests', podSyncModule),
  on(
    'InPlacePodLevelResourcesVerticalScaling',
    'podLevelResize',
    ...[
      admissionModule,
      allocationStateModule,
      allocationManagerModule,
      containerRuntimeModule,
      podResizerModule,
      podSyncModule,
    ],
  ),
  on('InPlacePodVerticalScaling', 'inPlaceResize', allocationManagerModule),
  on('InPlacePodVerticalScalingExclusiveCPUs', 'exclusiveCpuResize', allocationManagerModule),
  on('InPlacePodVerticalScalingExclusiveMemory', 'exclusiveMemoryResize', allocationManagerModule),
  on(
    'InPlacePodVerticalScalingInitContainers',
    'initContainerResize',
    ...[allocationStateModule, allocationManagerModule, podResizerModule],
  ),
  on('KubeletInUserNamespace', 'inUserNamespace', cgroupModule, oomWatcherModule),
  on('KubeletPodResourcesListUseActivePods', 'listActivePods', grpcPodResourcesServerModule),
  on('KubeletPSI', 'pressure', cgroupStatsModule, onDemandStatsModule),
  on('KubeletRegistrationGetOnExistsOnly', 'getOnExistsOnly', nodeStatusReporterModule),
  on('KubeletSeparateDiskGC', 'separateDiskGc', evictionModule, onDemandStatsModule),
  on('KubeletServiceAccountTokenForCredentialProviders', 'serviceAccountTokens', keyringImageCredentialsModule),
  on('LocalStorageCapacityIsolationFSQuotaMonitoring', 'quotaMonitoring', localVolumesModule),
  on('NodeDeclaredFeatures', 'nodeDeclaredFeatures', admissionModule, syncLoopModule, apiPodsModule),
  on('PodAndContainerStatsFromCRI', 'containerMetricsFromCri', cgroupStatsModule),
  on('PodAndContainerStatsFromCRI', 'podAndContainerStatsFromCri', onDemandStatsModule),
  on(
    'PodLevelResources PodLevelResourceManagers',
    'podLevelResourceManagers',
    ...[topologyManagerModule, cpuManagerModule, memoryManagerModule],
  ),
  on(
    'PodLevelResources',
    'podLevelResources',
    ...[allocationManagerModule, admissionModule, cgroupModule, evictionModule, ...validators, localPodsModule],
  ),
  on('PodDeletionCost', 'podDeletionCost', ...validators),
  on(
    'MatchLabelKeysInPodTopologySpread MatchLabelKeysInPodTopologySpreadSelectorMerge',
    'mergedLabelKeys',
    ...validators,
  ),
  on('PLEGOnDemandRelist', 'onDemandRelist', genericPlegModule, eventedPlegModule),
  on('PodCertificateRequest', 'enabled', apiPodCertificateModule),
  on('PodLogsQuerySplitStreams', 'splitLogStreams', containerLogsRoutesModule),
  on('PodReadyToStartContainersCondition', 'readyToStartCondition', podSyncModule, apiStatusModule),
  on('PreventStaticPodAPIReferences', 'preventApiReferences', podConfigModule),
  on('QOSReserved', 'qosReserved', cgroupModule),
  on('ReloadKubeletClientCAFile', 'reloadClientCaFile', serverAuthModule),
  on('ResourceHealthStatus', 'resourceHealthStatus', deviceManagerModule, draManagerModule),
  on('ResourceHealthStatus ResourceHealthStatusMessage', 'resourceHealthMessage', draManagerModule),
  on(
    'ContainerRestartRules RestartAllContainersOnContainerExits',
    'restartAllContainers',
    ...[...validators, apiPodsModule, podSyncModule, apiStatusModule],
  ),
  on('RuntimeClassInImageCriApi', 'runtimeClassInImageCriApi', containerRuntimeModule, imageGcModule),
  on('SELinuxMount', 'seLinuxMount', volumeManagerModule, ...validators),
  on('StrictIPCIDRValidation', 'strictIps', ...validators),
  on('SupplementalGroupsPolicy', 'supplementalGroupsPolicy', nodeStatusReporterModule),
  on('TaintTolerationComparisonOperators', 'tolerationComparisons', admissionModule, ...validators),
  on('UserNamespacesHostNetworkSupport', 'userNamespacesHostNetwork', ...validators),
  on('WatchListClient', 'streamedLists', kubeClientModule),
];

/** Gates that change something else than one boolean option of a module. */
export const gateNames = {
  contextualLogging: 'ContextualLogging',
  crashLoopBackOffMax: 'KubeletCrashLoopBackOffMax',
  ensureSecretPulledImages: 'KubeletEnsureSecretPulledImages',
  eventedPleg: 'EventedPLEG',
  memoryQos: 'MemoryQoS',
  nativeHistograms: 'NativeHistograms',
  nodeLogQuery: 'NodeLogQuery',
  nodeSwap: 'NodeSwap',
  podsApi: 'PodsAPI',
  reduceCrashLoopBackOff: 'ReduceDefaultCrashLoopBackOffDecay',
  reloadServingCertificate: 'ReloadKubeletServerCertificateFile',
  shutdownByPodPriority: 'GracefulNodeShutdownBasedOnPodPriority',
} as const;

/** What each gate of `gateNames` switches, for people. */
const gateEffects: Readonly<Record<(typeof gateNames)[keyof typeof gateNames], string>> = {
  ContextualLogging: 'log lines have the fields of their logger, not only its name',
  KubeletCrashLoopBackOffMax: '`crashLoopBackOff.maxContainerRestartPeriod` limits the back-off of containers',
  KubeletEnsureSecretPulledImages: 'records of who pulled an image decide who else may use it',
  EventedPLEG: '`evented-pleg` replaces `pleg`, where the runtime sends container events; upstream: off',
  MemoryQoS: '`memory.min`, `memory.low` and `memory.high` of cgroups v2 are set',
  NativeHistograms: 'histograms of metrics have native buckets too',
  NodeLogQuery: '`enableSystemLogQuery` allows queries at `/logs/`',
  NodeSwap: '`memorySwap.swapBehavior` may give pods swap',
  PodsAPI: 'serves the Pods API socket',
  ReduceDefaultCrashLoopBackOffDecay: 'the back-off of containers is shorter',
  ReloadKubeletServerCertificateFile: 'a changed `tlsCertFile` is loaded again',
  GracefulNodeShutdownBasedOnPodPriority: '`shutdownGracePeriodByPodPriority` has an effect',
};

/** State of the gates in `gateNames`, and the gates that the Node object declares. */
export type GateFacts = Readonly<Record<keyof typeof gateNames, boolean>> & { readonly declared: readonly string[] };

export function gateFacts(gates: FeatureGates): GateFacts {
  const facts = Object.entries(gateNames).map(([fact, gate]) => [fact, gates.enabled(gate)]);
  return {
    ...(Object.fromEntries(facts) as Record<keyof typeof gateNames, boolean>),
    declared: declaredFeatureGates.filter((gate) => gates.enabled(gate)),
  };
}

/** What a gate decides. */
export interface GateReaders {
  /** `option` of module `name`, which is true when this gate and those it needs are on. */
  readonly options: readonly { readonly option: string; readonly module: string }[];
  /** What it switches besides; undefined: nothing. */
  readonly effect: string | undefined;
  /** What the Node object declares. */
  readonly declared: boolean;
  /** Whether the configuration is valid, and its defaults. */
  readonly configuration: boolean;
}

/** What a gate decides; undefined when nothing asks for it. */
export function gateReaders(gate: string): GateReaders | undefined {
  const readers: GateReaders = {
    options: gateSwitches
      .filter(({ gates }) => gates.includes(gate))
      .flatMap(({ option, modules }) => modules.map(({ name }) => ({ option, module: name }))),
    effect: Object.entries(gateEffects).find(([name]) => name === gate)?.[1],
    declared: declaredFeatureGates.includes(gate),
    configuration: configurationGates.includes(gate),
  };
  return readers.options.length > 0 || readers.effect !== undefined || readers.declared || readers.configuration
    ? readers
    : undefined;
}

/** Options by module name, after the gates have set theirs. */
export function withGateOptions(
  configured: readonly ConfiguredModule[],
  gates: FeatureGates,
): Readonly<Record<string, Readonly<Record<string, unknown>>>> {
  const switched = (name: string): Record<string, boolean> =>
    Object.fromEntries(
      gateSwitches
        .filter(({ modules }) => modules.some((module) => module.name === name))
        .map(({ option, gates: needed }) => [option, needed.every((gate) => gates.enabled(gate))]),
    );
  return Object.fromEntries(configured.map(([name, options]) => [name, { ...options, ...switched(name) }]));
}
