import { defineModule, factoryOf } from '@podwright/assembly-interface';
import { CPU_MANAGER, EXCLUSIVE_CPUS } from '@podwright/cpu-manager-interface';
import { pinningCpuManagerConfigSchema } from './pinning-cpu-manager-config.js';
import { cpuManagerNeeds, PinningCpuManager } from './pinning-cpu-manager.js';

export const cpuManagerModule = defineModule({
  name: '@podwright/cpu-manager',
  provides: [CPU_MANAGER, EXCLUSIVE_CPUS],
  needs: cpuManagerNeeds,
  config: pinningCpuManagerConfigSchema,
  create: (deps, config) => new PinningCpuManager(deps, config),
});

/** Creates one without an assembly. Throws `invalid-argument` for a wrong option. */
export const createPinningCpuManager = factoryOf(cpuManagerModule);
