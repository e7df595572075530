export type { Json } from './json.js';
export type {
  ConfigMap,
  Container,
  ContainerState,
  ContainerStatus,
  EphemeralContainer,
  Node,
  ObjectMeta,
  Pod,
  PodCondition,
  PodSpec,
  PodStatus,
  ResourceRequirements,
  Secret,
  Volume,
  VolumeMount,
} from './objects.js';
export { podFullName, podRef, podUid } from './pod-identity.js';
