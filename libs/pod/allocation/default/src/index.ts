import 'reflect-metadata'; // tsyringe refuses to load without it
export { createAllocationManager, createAllocationState } from './create-allocation.js';
export type { AllocationManagerDeps, AllocationState } from './create-allocation.js';
export { ALLOCATION_STATE_CONFIG, allocationStateConfigSchema } from './state/allocation-state-config.js';
export type { AllocationStateConfig } from './state/allocation-state-config.js';
export { allocationStateModule } from './state/allocation-state.module.js';
export { ALLOCATION_MANAGER_CONFIG, allocationManagerConfigSchema } from './manager/allocation-manager-config.js';
export type { AllocationManagerConfig } from './manager/allocation-manager-config.js';
export { allocationManagerModule } from './manager/allocation-manager.module.js';
