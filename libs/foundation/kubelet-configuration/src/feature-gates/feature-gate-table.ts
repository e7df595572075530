export type GateStage = 'Alpha' | 'Beta' | 'GA' | 'Deprecated';

export interface FeatureGateSpec {
  readonly stage: GateStage;
  readonly default: boolean;
  /** Whether setting it to anything but its default is an error. */
  readonly locked: boolean;
}

function rows(spec: FeatureGateSpec, names: string): readonly (readonly [string, FeatureGateSpec])[] {
  return names
    .trim()
    .split(/\s+/)
    .map((name) => [name, spec] as const);
}

const gaLocked: FeatureGateSpec = { stage: 'GA', default: true, locked: true };
const ga: FeatureGateSpec = { stage: 'GA', default: true, locked: false };
const betaOn: FeatureGateSpec = { stage: 'Beta', default: true, locked: false };
const betaOff: FeatureGateSpec = { stage: 'Beta', default: false, locked: false };
const alpha: FeatureGateSpec = { stage: 'Alpha', default: false, locked: false };
const deprecatedOff: FeatureGateSpec = { stage: 'Deprecated', default: false, locked: false };
const deprecatedOffLocked: FeatureGateSpec = { stage: 'Deprecated', default: false, locked: true };
const deprecatedOn: FeatureGateSpec = { stage: 'Deprecated', default: true, locked: false };
const deprecatedOnLocked: FeatureGateSpec = { stage: 'Deprecated', default: true, locked: true };

/**
 * The feature gates of the kubelet and its API client, with their stage and default in v1.36. Sources: kubernetes v1.36
 * pkg/features/kube_features.go, client-go/features/known_features.go, component-base/logs/api/v1/kube_features.go.
 */
export const featureGateTable: ReadonlyMap<string, FeatureGateSpec> = new Map([
  ...rows(
    gaLocked,
    `CPUManagerPolicyOptions DynamicResourceAllocation ExecProbeTimeout ImageMaximumGCAge ImageVolume
    InPlacePodVerticalScaling KubeletCgroupDriverFromCRI KubeletFineGrainedAuthz KubeletPSI
    KubeletPodResourcesDynamicResources KubeletPodResourcesGet KubeletTracing MutableCSINodeAllocatableCount
    NodeLogQuery NodeSwap PodLifecycleSleepAction PodLifecycleSleepActionAllowZero PodObservedGenerationTracking
    ProcMountType RecoverVolumeExpansionFailure RecursiveReadOnlyMounts RelaxedDNSSearchValidation
    RelaxedEnvironmentVariableValidation SELinuxChangePolicy SELinuxMountReadWriteOncePod SidecarContainers
    SupplementalGroupsPolicy SystemdWatchdog TopologyManagerPolicyOptions UserNamespacesSupport
    CSIServiceAccountTokenSecrets AuthorizeNodeWithSelectors DRAAdminAccess InOrderInformers`,
  ),
  ...rows(ga, 'CustomCPUCFSQuotaPeriod DRAPrioritizedList InformerResourceVersion'),
  ...rows(
    betaOn,
    `CPUManagerPolicyBetaOptions ContainerCheckpoint ContainerRestartRules DRADeviceTaints DRAConsumableCapacity
    DRAExtendedResource DRAPartitionableDevices DRAResourceClaimDeviceStatus DRADeviceBindingConditions EnvFiles
    ExtendWebSocketsToKubelet GracefulNodeShutdown GracefulNodeShutdownBasedOnPodPriority HostnameOverride
    InPlacePodLevelResourcesVerticalScaling InPlacePodVerticalScalingInitContainers KubeletCrashLoopBackOffMax
    KubeletEnsureSecretPulledImages KubeletSeparateDiskGC KubeletServiceAccountTokenForCredentialProviders
    NodeDeclaredFeatures PLEGOnDemandRelist PodLevelResources PodReadyToStartContainersCondition
    PortForwardWebsockets TranslateStreamCloseWebsocketRequests PreventStaticPodAPIReferences
    ReloadKubeletServerCertificateFile ReloadKubeletClientCAFile ResourceHealthStatus ResourceHealthStatusMessage
    RestartAllContainersOnContainerExits RotateKubeletServerCertificate ServiceAccountNodeAudienceRestriction
    TopologyManagerPolicyBetaOptions ComponentFlagz ComponentStatusz ContextualLogging LoggingBetaOptions
    StrictIPCIDRValidation WatchListClient AtomicFIFO ClientsAllowCARotation ClientsAllowTLSCacheGC
    InOrderInformersBatchProcess UnlockWhileProcessingFIFO`,
  ),
  ...rows(
    betaOff,
    `ClusterTrustBundle ClusterTrustBundleProjection LocalStorageCapacityIsolationFSQuotaMonitoring
    PodCertificateRequest SELinuxMount`,
  ),
  ...rows(
    alpha,
    `ContainerStopSignals CPUManagerPolicyAlphaOptions CRIListStreaming CSIVolumeHealth DRAListTypeAttributes
    DRANodeAllocatableResources DRAWorkloadResourceClaims EventedPLEG GenericWorkload ImageVolumeWithDigest
    InPlacePodVerticalScalingExclusiveCPUs InPlacePodVerticalScalingExclusiveMemory KubeletInUserNamespace MemoryQoS
    PodAndContainerStatsFromCRI PodLevelResourceManagers PodLogsQuerySplitStreams PodsAPI QOSReserved
    ReduceDefaultCrashLoopBackOffDecay RuntimeClassInImageCriApi TaintTolerationComparisonOperators
    TopologyManagerPolicyAlphaOptions UserNamespacesHostNetworkSupport LoggingAlphaOptions ClientsAllowCBOR
    ClientsPreferCBOR`,
  ),
  ...rows(
    deprecatedOff,
    `AllowDNSOnlyNodeCSR AllowInsecureKubeletCertificateSigningRequests ChangeContainerStatusOnKubeletRestart
    KubeletRegistrationGetOnExistsOnly`,
  ),
  ...rows(deprecatedOffLocked, 'AllowOverwriteTerminationGracePeriodSeconds GitRepoVolumeDriver'),
  ...rows(deprecatedOn, 'DisableCPUQuotaWithExclusiveCPUs KubeletPodResourcesListUseActivePods'),
  ...rows(deprecatedOnLocked, 'DisableNodeKubeProxyVersion'),
]);

/** Gate -> the gates that must also be enabled. */
export const featureGateDependencies: ReadonlyMap<string, readonly string[]> = new Map([
  ['ExtendWebSocketsToKubelet', ['NodeDeclaredFeatures']],
  ['GracefulNodeShutdownBasedOnPodPriority', ['GracefulNodeShutdown']],
  [
    'InPlacePodLevelResourcesVerticalScaling',
    ['InPlacePodVerticalScaling', 'PodLevelResources', 'NodeDeclaredFeatures'],
  ],
]);
