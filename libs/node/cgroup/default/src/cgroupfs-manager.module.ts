import { CLOCK, LOGGER, METRICS, defineModule } from '@podwright/assembly-interface';
import { CGROUP_MANAGER, POD_CGROUP_CPU_REDUCTION, POD_CGROUP_RESOURCES } from '@podwright/cgroup-interface';
import { CGROUP_FILES } from './cgroup-files.js';
import { cgroupfsConfig } from './cgroupfs-config.js';
import { CgroupfsManager } from './cgroupfs-manager.js';

export const cgroupModule = defineModule({
  name: '@podwright/cgroup',
  provides: [CGROUP_MANAGER, POD_CGROUP_RESOURCES, POD_CGROUP_CPU_REDUCTION],
  requires: [CLOCK, LOGGER, METRICS],
  optional: [CGROUP_FILES],
  config: cgroupfsConfig,
  register: (container) => {
    container.registerSingleton(CgroupfsManager);
    container.register(CGROUP_MANAGER, { useToken: CgroupfsManager });
    container.register(POD_CGROUP_RESOURCES, { useToken: CgroupfsManager });
    container.register(POD_CGROUP_CPU_REDUCTION, { useToken: CgroupfsManager });
  },
});
