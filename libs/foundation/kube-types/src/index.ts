export type { Json } from './json.js';
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
  NodeStatus,
  ObjectMeta,
  ObjectReference,
  PersistentVolumeClaimSpec,
  Pod,
  PodCondition,
  PodDnsConfig,
  PodSecurityContext,
  PodSpec,
  PodStatus,
  Probe,
  ResourceRequirements,
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
  VolumeMount,
  VolumeProjection,
} from './objects.js';

export { decodePodList, decodePodManifest, maxManifestBytes, maxPodListBytes } from './decode/pod-manifest.js';
export { readDocument } from './decode/document-reader.js';
export { decodeWithSchema } from './decode/schema-decoder.js';
export type { Decoded } from './decode/schema-decoder.js';
export { always, anything, list, map, object, pointer, scalar } from './decode/schema.js';
export type {
  AnySchema,
  Fields,
  ListSchema,
  MapSchema,
  ObjectSchema,
  ScalarReading,
  ScalarSchema,
  Schema,
  ZeroRule,
} from './decode/schema.js';
export {
  bool,
  float64,
  int32,
  int64,
  intOrString,
  quantities,
  quantity,
  string,
  strings,
  time,
  uint32,
} from './decode/scalars.js';
export { childPath, describeValue, formatFault, isSourceObject } from './decode/source-value.js';
export type { DecodeFault, SourceDocument, SourceObject, SourceValue } from './decode/source-value.js';
export { deepEqual } from './deep-equal.js';
export { defaultPod, defaultTerminationGracePeriodSeconds } from './default/pod-defaults.js';
export { canonicalIp, ipAddress, ipFamily, cidr, parseCidr } from './names/ip-address.js';
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
} from './names/name-rules.js';
export type { NameRule } from './names/name-rules.js';

export { findApiReferences, staticPodReferenceFault } from './pod/api-references.js';
export type { ApiReference } from './pod/api-references.js';
export { containerFieldPath, findContainer, visitContainers } from './pod/containers.js';
export type { ContainerKind, ContainerVisit } from './pod/containers.js';
export { podMetadataField, splitSubscript } from './pod/downward-field.js';
export { downwardResource } from './pod/downward-resource.js';
export type { ResourceSelector } from './pod/downward-resource.js';
export { expandVariables } from './pod/expand-variables.js';
export { fnv128a } from './pod/fnv128a.js';
export { goQuote } from './pod/go-quote.js';
export { parseImageReference } from './pod/image-reference.js';
export type { ImageReference } from './pod/image-reference.js';
export { podFullName, podRef, podUid } from './pod/pod-identity.js';
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
export { stableJson, staticPodUid } from './pod/static-pod-uid.js';
export type { ManifestOrigin } from './pod/static-pod-uid.js';

export { canonicalQuantity, formatQuantity } from './quantity/format-quantity.js';
export { parseQuantity, tryParseQuantity } from './quantity/quantity.js';
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

export type { FieldError, FieldErrorType } from './validate/field-errors.js';
export { FieldErrors } from './validate/field-errors.js';
export { assertValidPod, validatePodCreate } from './validate/pod.js';
