import 'reflect-metadata'; // tsyringe refuses to load without it
export { createPinningCpuManager, PinningCpuManager } from './pinning-cpu-manager.js';
export type { PinningCpuManagerDeps } from './pinning-cpu-manager.js';
export { cpuManagerModule } from './pinning-cpu-manager.module.js';
export { PINNING_CPU_MANAGER_CONFIG, pinningCpuManagerConfigSchema } from './pinning-cpu-manager-config.js';
export type { PinningCpuManagerConfig } from './pinning-cpu-manager-config.js';
