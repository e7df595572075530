import { CLOCK, LOGGER, METRICS, defineModule } from '@podwright/assembly-interface';
import {
  CGROUP_DRIVER,
  CGROUP_MANAGER,
  POD_CGROUP_CPU_REDUCTION,
  POD_CGROUP_RESOURCES,
} from '@podwright/cgroup-interface';
import { EXCLUSIVE_CPUS } from '@podwright/cpu-manager-interface';
import { EVENT_RECORDER } from '@podwright/events-interface';
import { ACTIVE_PODS } from '@podwright/pod-workers-interface';
import { CGROUP_FILES } from './cgroup-files.js';
import { kubeCgroupConfig } from './kube-cgroup-config.js';
import { KubeCgroupManager } from './kube-cgroup-manager.js';
import { SYSTEMD_UNITS } from './systemd/systemd-units.js';

export const cgroupModule = defineModule({
  name: '@podwright/cgroup',
  provides: [CGROUP_MANAGER, POD_CGROUP_RESOURCES, POD_CGROUP_CPU_REDUCTION],
  requires: [CLOCK, LOGGER, METRICS],
  optional: [CGROUP_FILES, CGROUP_DRIVER, EVENT_RECORDER, ACTIVE_PODS, EXCLUSIVE_CPUS, SYSTEMD_UNITS],
  config: kubeCgroupConfig,
  register: (container) => {
    container.registerSingleton(KubeCgroupManager);
    container.register(CGROUP_MANAGER, { useToken: KubeCgroupManager });
    container.register(POD_CGROUP_RESOURCES, { useToken: KubeCgroupManager });
    container.register(POD_CGROUP_CPU_REDUCTION, { useToken: KubeCgroupManager });
  },
});
