export type { Json } from './json.js';
export type {
  Affinity,
  ConfigMap,
  Container,
  ContainerPort,
  ContainerState,
  ContainerStatus,
  EnvFromSource,
  EnvVar,
  EphemeralContainer,
  LabelSelector,
  Lifecycle,
  LifecycleHandler,
  Node,
  ObjectMeta,
  PersistentVolumeClaimSpec,
  Pod,
  PodCondition,
  PodDnsConfig,
  PodSecurityContext,
  PodSpec,
  PodStatus,
  Probe,
  ResourceRequirements,
  Secret,
  SecurityContext,
  Toleration,
  TopologySpreadConstraint,
  Volume,
  VolumeMount,
  VolumeProjection,
} from './objects.js';

export { deepEqual } from './deep-equal.js';
export { ipAddress, ipFamily, cidr, parseCidr } from './names/ip-address.js';
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

export { findContainer, visitContainers } from './pod/containers.js';
export type { ContainerKind, ContainerVisit } from './pod/containers.js';
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
export { computeQosClass, podQosClass } from './pod/qos.js';
export type { QosClass } from './pod/qos.js';
export { addResources, formatResources, maxResources, parseResources } from './pod/resource-amounts.js';
export type { ResourceAmounts, ResourceList } from './pod/resource-amounts.js';
export { isSidecar, matchingRestartRule, restartsAfterExit } from './pod/restart-policy.js';
export type { RestartableContainer } from './pod/restart-policy.js';

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
