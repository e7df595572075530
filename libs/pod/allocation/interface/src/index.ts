export { ALLOCATION_MANAGER } from './allocation-manager.js';
export type { AllocationDecision, AllocationManager, ResizeTrigger } from './allocation-manager.js';
export { ACTUATED_RESOURCES, ALLOCATED_RESOURCES } from './resource-state.js';
export type { ActuatedResources, AllocatedResources, PodResourceRecords, PodResourceState } from './resource-state.js';
export { RESIZE_CONDITIONS } from './resize-conditions.js';
export type { ResizeConditionChange, ResizeConditions } from './resize-conditions.js';
export { resizeMessage } from './resize-message.js';
export type { ResizeStage } from './resize-message.js';
