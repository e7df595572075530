import {
  alpha,
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
 * The feature gates of other components in v1.36. Upstream's kubelet links them, and installers pass the same gates to
 * all components, so the kubelet takes them as its own: with their defaults, locks and dependencies, but no effect.
 * Sources: kubernetes v1.36 pkg/features/kube_features.go, apiserver/pkg/features, apiextensions-apiserver/pkg/features,
 * controller-manager/pkg/features.
 */
export const foreignFeatureGates: ReadonlyMap<string, FeatureGateSpec> = new Map([
  ...gateRows(
    gaLocked,
    `APIServerTracing AnonymousAuthConfigurableEndpoints AnyVolumeDataSource AuthorizeWithSelectors BtreeWatchCache
    CRDValidationRatcheting ConsistentListFromCache CustomResourceFieldSelectors DeclarativeValidation
    DisableAllocatorDualWrite ExternalServiceAccountTokenSigner JobBackoffLimitPerIndex JobManagedBy
    JobPodReplacementPolicy JobSuccessPolicy LogarithmicScaleDown MatchLabelKeysInPodAffinity
    MultiCIDRServiceAllocator NFTablesProxyMode NodeInclusionPolicyInPodTopologySpread
    OrderedNamespaceDeletion PodSchedulingReadiness PreferSameTrafficDistribution
    ResilientWatchCacheInitialization RetryGenerateName SchedulerQueueingHints SeparateTaintEvictionController
    ServiceAccountTokenJTI ServiceAccountTokenNodeBinding ServiceAccountTokenNodeBindingValidation
    ServiceAccountTokenPodNodeInfo StreamingCollectionEncodingToJSON StreamingCollectionEncodingToProtobuf
    StructuredAuthenticationConfiguration VolumeAttributesClass WinDSR WinOverlay`,
  ),
  ...gateRows(ga, 'AllowServiceExternalIPs MutatingAdmissionPolicy'),
  ...gateRows(
    betaOn,
    `APIResponseCompression APIServerIdentity
    AuthorizePodWebsocketUpgradeCreatePermission CRDObservedGenerationTracking
    ClearingNominatedNodeNameAfterBinding ConstrainedImpersonation DRAResourceClaimGranularStatusAuthorization
    DRASchedulerFilterTimeout DeclarativeValidationBeta DeploymentReplicaSetTerminatingReplicas
    DetectCacheInconsistency HPAConfigurableTolerance ListFromCacheSnapshot  MutablePodResourcesForSuspendedJobs
    MutableSchedulingDirectivesForSuspendedJobs NominatedNodeNameForExpectation OpenAPIEnums
    OpportunisticBatching PodTopologyLabelsAdmission RelaxedServiceNameValidation
    RemoteRequestHeaderUID SchedulerAsyncPreemption SchedulerPopFromBackoffQ SizeBasedListCostEstimate
    StaleControllerConsistencyDaemonSet StaleControllerConsistencyJob StaleControllerConsistencyReplicaSet
    StaleControllerConsistencyStatefulSet StatefulSetSemanticRevisionComparison StorageVersionHash
    StructuredAuthenticationConfigurationEgressSelector StructuredAuthenticationConfigurationJWKSMetrics
    TokenRequestServiceAccountUIDValidation UnauthenticatedHTTP2DOSMitigation
    UnknownVersionInteroperabilityProxy WatchCacheInitializationPostStartHook WatchList
    WindowsGracefulNodeShutdown`,
  ),
  ...gateRows(
    betaOff,
    `ConcurrentWatchObjectDecode CoordinatedLeaderElection DRADeviceTaintRules MaxUnavailableStatefulSet
    SchedulerAsyncAPICalls StorageVersionMigrator`,
  ),
  ...gateRows(
    alpha,
    `APIServingWithRoutine AllowUnsafeMalformedObjectDeletion
    CloudControllerManagerWatchBasedRoutesReconciliation CloudControllerManagerWebhook
    ControllerManagerReleaseLeaderElectionLockOnExit CrossNamespaceVolumeDataSource DRAResourcePoolStatus
    GangScheduling HPAScaleToZero ManifestBasedAdmissionControlConfig MutablePVNodeAffinity
    PersistentVolumeClaimUnusedSinceTime ShardedListAndWatch StorageCapacityScoring StorageVersionAPI
    TopologyAwareWorkloadScheduling VolumeLimitScaling WindowsCPUAndMemoryAffinity WorkloadAwarePreemption
    WorkloadWithJob`,
  ),
  ...gateRows(deprecatedOff, 'DeclarativeValidationTakeover KMSv1 WindowsHostNetwork'),
  ...gateRows(deprecatedOffLocked, 'SeparateCacheWatchRPC'),
  ...gateRows(deprecatedOn, 'ServiceCIDRStatusFieldWiping StorageNamespaceIndex'),
  ...gateRows(deprecatedOnLocked, 'AggregatedDiscoveryRemoveBetaType'),
]);
