import type { CgroupRoots } from '@podwright/cgroup-stats-interface';
import { cgroupName, ownCgroupOf } from '@podwright/cgroup-files';
import type { OnDemandCgroupStatsConfig } from './on-demand-cgroup-stats-config.js';

type RootsConfig = Pick<
  OnDemandCgroupStatsConfig,
  'cgroupDriver' | 'cgroupRoot' | 'cgroupsPerQos' | 'kubeletCgroups' | 'runtimeCgroups' | 'systemCgroups'
>;

/**
 * Cgroups with a special role. `ownCgroups`: content of /proc/self/cgroup. Source: kubernetes v1.36
 * cmd/kubelet/app/server.go, pkg/kubelet/cm.
 */
export function cgroupRoots(config: RootsConfig, ownCgroups: string): CgroupRoots {
  const pods = cgroupName(config.cgroupDriver, config.cgroupRoot, config.cgroupsPerQos ? ['kubepods'] : []);
  const kubelet = config.kubeletCgroups === '' ? ownCgroupOf(ownCgroups) : config.kubeletCgroups;
  return {
    pods,
    ...(kubelet !== undefined && { kubelet }),
    ...(config.runtimeCgroups !== '' && { runtime: config.runtimeCgroups }),
    ...(config.systemCgroups !== '' && { system: config.systemCgroups }),
  };
}
