import {
  alpha,
  alphaOn,
  betaOff,
  betaOn,
  deprecatedOff,
  deprecatedOffLocked,
  deprecatedOn,
  deprecatedOnLocked,
  ga,
  gaLocked,
  gateRows,
  type FeatureGateSpec,
} from './feature-gate-spec.js';

/**
 * The feature gates of the kubelet, its API client and its server, with their stage and default in v1.36. Sources: kubernetes v1.36
 * pkg/features/kube_features.go, client-go/features/known_features.go, component-base/logs/api/v1/kube_features.go,
 * component-base/metrics/features/kube_features.go,
 * component-base/zpages/features/kube_features.go, apiserver/pkg/features/kube_features.go.
 */
export const featureGateTable: ReadonlyMap<string, FeatureGateSpec> = new Map([
  ...gateRows(
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
  ...gateRows(ga, 'CustomCPUCFSQuotaPeriod DRAPrioritizedList InformerResourceVersion'),
  ...gateRows(
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
    InOrderInformersBatchProcess UnlockWhileProcessingFIFO AllowParsingUserUIDFromCertAuth
    MatchLabelKeysInPodTopologySpread MatchLabelKeysInPodTopologySpreadSelectorMerge PodDeletionCost`,
  ),
  ...gateRows(
    betaOff,
    `ClusterTrustBundle ClusterTrustBundleProjection LocalStorageCapacityIsolationFSQuotaMonitoring
    PodCertificateRequest SELinuxMount`,
  ),
  ...gateRows(
    alpha,
    `ContainerStopSignals CPUManagerPolicyAlphaOptions CRIListStreaming CSIVolumeHealth DRAListTypeAttributes
    DRANodeAllocatableResources DRAWorkloadResourceClaims GenericWorkload ImageVolumeWithDigest
    InPlacePodVerticalScalingExclusiveCPUs InPlacePodVerticalScalingExclusiveMemory KubeletInUserNamespace MemoryQoS
    PodAndContainerStatsFromCRI PodLevelResourceManagers PodLogsQuerySplitStreams PodsAPI QOSReserved
    ReduceDefaultCrashLoopBackOffDecay RuntimeClassInImageCriApi TaintTolerationComparisonOperators
    TopologyManagerPolicyAlphaOptions UserNamespacesHostNetworkSupport NativeHistograms LoggingAlphaOptions
    ClientsAllowCBOR ClientsPreferCBOR CBORServingAndStorage`,
  ),
  // Off upstream; docs/decisions/0017-container-events.md says why not here.
  ...gateRows(alphaOn, 'EventedPLEG'),
  ...gateRows(
    deprecatedOff,
    `AllowDNSOnlyNodeCSR AllowInsecureKubeletCertificateSigningRequests ChangeContainerStatusOnKubeletRestart
    KubeletRegistrationGetOnExistsOnly`,
  ),
  ...gateRows(deprecatedOffLocked, 'AllowOverwriteTerminationGracePeriodSeconds GitRepoVolumeDriver'),
  ...gateRows(deprecatedOn, 'DisableCPUQuotaWithExclusiveCPUs KubeletPodResourcesListUseActivePods'),
  ...gateRows(deprecatedOnLocked, 'DisableNodeKubeProxyVersion'),
]);
