export { cpuManagerNeeds, PinningCpuManager } from './pinning-cpu-manager.js';
export type { CpuManagerNeeds } from './pinning-cpu-manager.js';
export { cpuManagerModule, createPinningCpuManager } from './pinning-cpu-manager.module.js';
export { pinningCpuManagerConfigSchema } from './pinning-cpu-manager-config.js';
export type { PinningCpuManagerConfig } from './pinning-cpu-manager-config.js';
