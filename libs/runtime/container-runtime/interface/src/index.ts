export { CONTAINER_RUNTIME } from './container-runtime.js';
export type {
  ContainerRuntime,
  GetPodsOptions,
  KillPodRequest,
  PodIdentity,
  SyncPodRequest,
} from './container-runtime.js';
export type {
  RuntimeContainer,
  RuntimeContainerState,
  RuntimeContainerStatus,
  RuntimePod,
  RuntimePodStatus,
  RuntimeSandbox,
} from './runtime-pod.js';
export type { PodSyncResult, SyncAction, SyncResult } from './sync-result.js';
export { RUNTIME_STATE, RUNTIME_STATE_REFRESH } from './runtime-state.js';
export type { RuntimeState, RuntimeStateRefresh } from './runtime-state.js';
export { INTERNAL_CONTAINER_LIFECYCLE } from './internal-container-lifecycle.js';
export type { InternalContainerLifecycle } from './internal-container-lifecycle.js';
export { newestRecord, shouldContainerBeStarted } from './restart-decision.js';
export { sandboxChange } from './sandbox-change.js';
export type { SandboxChange } from './sandbox-change.js';
export { LINUX_RESOURCES } from './resources/linux-resources.js';
export type { CriResources, LinuxResources } from './resources/linux-resources.js';
export { POD_RESIZER } from './resources/pod-resizer.js';
export type {
  ContainerUpdate,
  PodResize,
  PodResizer,
  ResizePlan,
  ResourceAmountsOfContainer,
} from './resources/pod-resizer.js';
