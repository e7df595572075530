// oxlint-disable-next-line eslint-js/no-restricted-syntax -- the 170 messages of the CRI are the surface, and they are generated
export type * from './generated/runtime.js';
export {
  CgroupDriver,
  ContainerEventType,
  ContainerState,
  MetricType,
  MountPropagation,
  NamespaceMode,
  PodSandboxState,
  Protocol,
  SecurityProfile_ProfileType,
  Signal,
  SupplementalGroupsPolicy,
} from './generated/runtime.js';
export { isCrioEndpoint } from './crio-endpoint.js';
export { defaultDeadlineMs } from './deadlines.js';
export type { RpcName } from './deadlines.js';
export {
  containerHashAnnotation,
  containerNameLabel,
  containerPortsAnnotation,
  containerPreStopHandlerAnnotation,
  containerRestartCountAnnotation,
  containerTerminationMessagePathAnnotation,
  containerTerminationMessagePolicyAnnotation,
  podDeletionGracePeriodAnnotation,
  podNameLabel,
  podNamespaceLabel,
  podTerminationGracePeriodAnnotation,
  podUidLabel,
} from './kubelet-labels.js';
export { nameOfSignal, signalOfName } from './signal-names.js';
export { IMAGE_SERVICE, RUNTIME_SERVICE } from './services.js';
export type { DeepPartial } from '@podwright/protobuf-wire';
export type { CallOptions, ImageService, RuntimeConnection, RuntimeService } from './services.js';
export { RUNTIME_CONNECTION } from './services.js';
