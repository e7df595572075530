export { containerRuntimeModule, createContainerRuntime } from './container-runtime.module.js';
export { containerRuntimeNeeds } from './container-runtime-needs.js';
export type { ContainerRuntimeNeeds } from './container-runtime-needs.js';
export { concurrentStarts, containerRuntimeConfigSchema } from './container-runtime-config.js';
export type { ContainerRuntimeConfig } from './container-runtime-config.js';
export { computePodActions } from './actions/compute-pod-actions.js';
export type { ContainerKill, ContainerReset, KillReason, PodActions } from './actions/pod-actions.js';
export { createRuntimeState, runtimeStateModule } from './state/runtime-state.module.js';
export { runtimeStateNeeds } from './state/polled-runtime-state.js';
export { runtimeStateConfigSchema } from './state/runtime-state-config.js';
export type { RuntimeStateConfig } from './state/runtime-state-config.js';
export {
  containerRuntimeRoutesModule,
  containerRuntimeRoutesNeeds,
  createContainerRuntimeRoutes,
} from './routes/container-runtime-routes.module.js';
export type {
  ContainerRuntimeRoutesConfig,
  ContainerRuntimeRoutesNeeds,
} from './routes/container-runtime-routes.module.js';
export { containerRuntimeHousekeepingModule } from './container-runtime-housekeeping.module.js';
