import 'reflect-metadata'; // tsyringe refuses to load without it
export { containerRuntimeModule } from './container-runtime.module.js';
export { CONTAINER_RUNTIME_CONFIG, containerRuntimeConfigSchema } from './container-runtime-config.js';
export type { ContainerRuntimeConfig } from './container-runtime-config.js';
export { createContainerRuntime } from './create-container-runtime.js';
export type { ContainerRuntimeDeps } from './runtime-deps.js';
export { computePodActions } from './actions/compute-pod-actions.js';
export type { ContainerKill, ContainerReset, KillReason, PodActions } from './actions/pod-actions.js';
export { createRuntimeState } from './state/create-runtime-state.js';
export type { RuntimeStateDeps } from './state/create-runtime-state.js';
export { runtimeStateModule } from './state/runtime-state.module.js';
export { RUNTIME_STATE_CONFIG, runtimeStateConfigSchema } from './state/runtime-state-config.js';
export type { RuntimeStateConfig } from './state/runtime-state-config.js';
