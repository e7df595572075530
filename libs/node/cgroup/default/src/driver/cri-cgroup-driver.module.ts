import { defineModule, factoryOf } from '@podwright/assembly-interface';
import { CGROUP_DRIVER } from '@podwright/cgroup-interface';
import { criCgroupDriverConfig } from './cri-cgroup-driver-config.js';
import { cgroupDriverNeeds, CriCgroupDriver } from './cri-cgroup-driver.js';

/** Optional: without it, and when the runtime cannot be asked, the configured driver applies. */
export const cgroupDriverModule = defineModule({
  name: '@podwright/cgroup#driver',
  provides: [CGROUP_DRIVER],
  needs: cgroupDriverNeeds,
  config: criCgroupDriverConfig,
  create: (deps, config) => new CriCgroupDriver(deps, config),
});

/** Creates one without an assembly. */
export const createCriCgroupDriver = factoryOf(cgroupDriverModule);
