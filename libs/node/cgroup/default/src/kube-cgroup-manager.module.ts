import { defineModule, factoryOf } from '@podwright/assembly-interface';
import { CGROUP_MANAGER, POD_CGROUP_CPU_REDUCTION, POD_CGROUP_RESOURCES } from '@podwright/cgroup-interface';
import { kubeCgroupConfig } from './kube-cgroup-config.js';
import { cgroupNeeds, KubeCgroupManager } from './kube-cgroup-manager.js';

export const cgroupModule = defineModule({
  name: '@podwright/cgroup',
  provides: [CGROUP_MANAGER, POD_CGROUP_RESOURCES, POD_CGROUP_CPU_REDUCTION],
  needs: cgroupNeeds,
  config: kubeCgroupConfig,
  create: (deps, config) => new KubeCgroupManager(deps, config),
});

/** Creates one without an assembly. Throws `invalid-argument` for options out of range. */
export const createKubeCgroupManager = factoryOf(cgroupModule);
