import { CLOCK, LOGGER, METRICS, defineModule } from '@podwright/assembly-interface';
import { CGROUP_DRIVER, CGROUP_DRIVER_MISMATCH } from '@podwright/cgroup-interface';
import { RUNTIME_CONNECTION, RUNTIME_SERVICE } from '@podwright/cri-client-interface';
import { criCgroupDriverConfig } from './cri-cgroup-driver-config.js';
import { CriCgroupDriver } from './cri-cgroup-driver.js';

/** Without it the configured driver holds, as where the runtime cannot be asked. */
export const cgroupDriverModule = defineModule({
  name: '@podwright/cgroup#driver',
  provides: [CGROUP_DRIVER],
  requires: [RUNTIME_SERVICE, RUNTIME_CONNECTION, CLOCK, LOGGER, METRICS],
  optional: [CGROUP_DRIVER_MISMATCH],
  config: criCgroupDriverConfig,
  register: (container) => {
    container.registerSingleton(CriCgroupDriver);
    container.register(CGROUP_DRIVER, { useToken: CriCgroupDriver });
  },
});
