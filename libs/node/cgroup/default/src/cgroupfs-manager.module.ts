import { CLOCK, LOGGER, defineModule } from '@podwright/assembly-interface';
import { CGROUP_MANAGER } from '@podwright/cgroup-interface';
import { cgroupfsConfig } from './cgroupfs-config.js';
import { CgroupfsManager } from './cgroupfs-manager.js';

export const cgroupModule = defineModule({
  name: '@podwright/cgroup',
  provides: [CGROUP_MANAGER],
  requires: [CLOCK, LOGGER],
  config: cgroupfsConfig,
  register: (container) => {
    container.registerSingleton(CgroupfsManager);
    container.register(CGROUP_MANAGER, { useToken: CgroupfsManager });
  },
});
