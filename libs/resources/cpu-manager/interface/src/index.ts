export { CPU_MANAGER, EXCLUSIVE_CPUS } from './cpu-manager.js';
export type { CpuManager, ExclusiveCpus } from './cpu-manager.js';
