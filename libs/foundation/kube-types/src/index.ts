export { isJsonObject, parseJsonObject } from './json.js';
export type { Json, JsonObject } from './json.js';
export type {
  Affinity,
  ApiStatus,
  CertificateSigningRequest,
  ConfigMap,
  Container,
  ContainerPort,
  ContainerState,
  ContainerStatus,
  CoreEvent,
  CsiDriver,
  CsiNode,
  DeviceClass,
  EnvFromSource,
  EnvVar,
  EphemeralContainer,
  LabelSelector,
  Lease,
  Lifecycle,
  LifecycleHandler,
  Namespace,
  Node,
  NodeAddress,
  NodeCondition,
  NodeSelectorTerm,
  NodeStatus,
  ObjectMeta,
  ObjectReference,
  PersistentVolume,
  PersistentVolumeClaim,
  PersistentVolumeClaimSpec,
  Pod,
  PodAffinityTerm,
  PodCertificateProjection,
  PodCertificateRequest,
  PodCertificateRequestCondition,
  PodCondition,
  PodDnsConfig,
  PodSecurityContext,
  PodSpec,
  PodStatus,
  Probe,
  ResourceClaim,
  ResourceClaimTemplate,
  ResourceRequirements,
  ResourceSlice,
  RuntimeClass,
  Secret,
  SecurityContext,
  Service,
  ServiceAccount,
  SubjectAccessReview,
  Taint,
  TokenReview,
  Toleration,
  TopologySpreadConstraint,
  Volume,
  VolumeAttachment,
  VolumeDevice,
  VolumeMount,
  VolumeProjection,
} from './objects.js';
export { deepEqual } from './deep-equal.js';
export { goJson, goMap } from './go-text/go-json.js';
export { goQuote } from './go-text/go-quote.js';
export { fnv1a128, fnv1a32 } from './hash/fnv.js';
export { canonicalIp, ipAddress, ipFamily, cidr, legacyIpAddress, parseCidr } from './names/ip-address.js';
export type { Cidr } from './names/ip-address.js';
export { matchesLabelSelector } from './names/label-selector.js';
export type { Labels } from './names/label-selector.js';
export {
  configMapKey,
  dns1035Label,
  dns1123Label,
  dns1123Subdomain,
  envVarName,
  httpHeaderName,
  labelValue,
  portName,
  portNumber,
  qualifiedName,
  rangeMessage,
} from './names/name-rules.js';
export type { NameRule } from './names/name-rules.js';
export { matchesNodeSelectorTerms } from './names/node-selector.js';
export { objectKey } from './names/object-key.js';
export {
  isClaimableResource,
  isExtendedResource,
  isHugePageResource,
  isNativeResource,
} from './names/resource-names.js';

export {
  declaredFeatureGates,
  declaredFeatures,
  requiredFeatures,
  requiredFeaturesOfUpdate,
} from './node/declared-features.js';
export type { DeclaredFeatureFacts } from './node/declared-features.js';
export { nodeHostIps, unknownHostIp } from './node/node-host-ips.js';

export { findApiReferences, staticPodReferenceFault, staticPodUnusableReferenceFault } from './pod/api-references.js';
export type { ApiReference } from './pod/api-references.js';
export { containerFieldPath, findContainer, visitContainers } from './pod/containers.js';
export { usedVolumes } from './pod/used-volumes.js';
export type { UsedVolume } from './pod/used-volumes.js';
export type { ContainerKind, ContainerVisit } from './pod/containers.js';
export { podMetadataField, splitSubscript } from './pod/downward-field.js';
export { downwardResource } from './pod/downward-resource.js';
export type { ResourceSelector } from './pod/downward-resource.js';
export { expandVariables } from './pod/expand-variables.js';
export { parseImageReference } from './pod/image-reference.js';
export type { ImageReference } from './pod/image-reference.js';
export { podFullName, podRef, podUid } from './pod/pod-identity.js';
export { containersReadyCondition, podReadyCondition, readinessIsStale, withReadiness } from './pod/pod-readiness.js';
export { hasPodLevelResources, isPodLevelResource, podLimits, podRequests } from './pod/pod-resources.js';
export type { PodResourcesOptions } from './pod/pod-resources.js';
export {
  configHashAnnotation,
  configMirrorAnnotation,
  configSeenAnnotation,
  configSourceAnnotation,
  isCriticalPod,
  isMirrorPod,
  isNodeCriticalPod,
  isStaticPod,
  localAnnotations,
  podSource,
  systemClusterCritical,
  systemCriticalPriority,
  systemNodeCritical,
} from './pod/pod-source.js';
export type { PodSource } from './pod/pod-source.js';
export { computeQosClass, isGuaranteedContainer, podQosClass } from './pod/qos.js';
export type { QosClass } from './pod/qos.js';
export { addResources, formatResources, maxResources, parseResources } from './pod/resource-amounts.js';
export type { ResourceAmounts, ResourceList } from './pod/resource-amounts.js';
export { isSidecar, matchingRestartRule, restartsAfterExit } from './pod/restart-policy.js';
export type { RestartableContainer } from './pod/restart-policy.js';
export { isTerminalPhase } from './pod/terminal-phase.js';
export { stableJson, staticPodUid } from './pod/static-pod-uid.js';
export type { ManifestOrigin } from './pod/static-pod-uid.js';

export { canonicalQuantity, formatQuantity } from './quantity/format-quantity.js';
export { parseQuantity, quantityFormatMessage, tryParseQuantity } from './quantity/quantity.js';
export type { Quantity, QuantityFormat } from './quantity/quantity.js';
export {
  addQuantities,
  compareQuantities,
  quantityFromMilli,
  quantityFromUnits,
  quantityToBytes,
  quantityToMilli,
  quantityToNumber,
  quantityValue,
  roundUpToMilli,
  subtractQuantities,
} from './quantity/quantity-values.js';
export type { QuantityLike } from './quantity/quantity-values.js';

export { timeMs } from './time-ms.js';
