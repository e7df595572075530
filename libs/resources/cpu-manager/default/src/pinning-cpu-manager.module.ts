import { CLOCK, defineModule, LOGGER, METRICS } from '@podwright/assembly-interface';
import { CPU_MANAGER, EXCLUSIVE_CPUS } from '@podwright/cpu-manager-interface';
import { RUNTIME_SERVICE } from '@podwright/cri-client-interface';
import { POD_CONFIG } from '@podwright/pod-config-interface';
import { ACTIVE_PODS } from '@podwright/pod-workers-interface';
import { STATUS_MANAGER } from '@podwright/status-interface';
import { MACHINE_TOPOLOGY, TOPOLOGY_MANAGER } from '@podwright/topology-manager-interface';
import { pinningCpuManagerConfigSchema } from './pinning-cpu-manager-config.js';
import { PinningCpuManager } from './pinning-cpu-manager.js';

export const cpuManagerModule = defineModule({
  name: '@podwright/cpu-manager',
  provides: [CPU_MANAGER, EXCLUSIVE_CPUS],
  requires: [
    RUNTIME_SERVICE,
    ACTIVE_PODS,
    STATUS_MANAGER,
    POD_CONFIG,
    TOPOLOGY_MANAGER,
    MACHINE_TOPOLOGY,
    CLOCK,
    LOGGER,
    METRICS,
  ],
  config: pinningCpuManagerConfigSchema,
  register: (container) => {
    container.registerSingleton(PinningCpuManager);
    container.register(CPU_MANAGER, { useToken: PinningCpuManager }); // alias: all names give one instance
    container.register(EXCLUSIVE_CPUS, { useToken: PinningCpuManager });
  },
});
