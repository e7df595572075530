import type {
  V1ConfigMap,
  V1Container,
  V1ContainerState,
  V1ContainerStatus,
  V1EphemeralContainer,
  V1Node,
  V1ObjectMeta,
  V1Pod,
  V1PodCondition,
  V1PodSpec,
  V1PodStatus,
  V1ResourceRequirements,
  V1Secret,
  V1Volume,
  V1VolumeMount,
} from '@kubernetes/client-node';
import type { Json } from './json.js';

/**
 * Objects are the plain JSON that an API server or a manifest delivers; they are immutable once they are handed on.
 * `metadata` and `spec` of a Pod that came out of pod-config are always set, see `@podwright/pod-config-interface`.
 */
export type Pod = Omit<Json<V1Pod>, 'metadata' | 'spec'> & { readonly metadata: ObjectMeta; readonly spec: PodSpec };
export type ObjectMeta = Json<V1ObjectMeta>;
export type PodSpec = Json<V1PodSpec>;
export type PodStatus = Json<V1PodStatus>;
export type PodCondition = Json<V1PodCondition>;
export type Container = Json<V1Container>;
export type EphemeralContainer = Json<V1EphemeralContainer>;
export type ContainerStatus = Json<V1ContainerStatus>;
export type ContainerState = Json<V1ContainerState>;
export type ResourceRequirements = Json<V1ResourceRequirements>;
export type Volume = Json<V1Volume>;
export type VolumeMount = Json<V1VolumeMount>;
export type ConfigMap = Json<V1ConfigMap>;
export type Secret = Json<V1Secret>;
export type Node = Json<V1Node>;
