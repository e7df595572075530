import type { CgroupRoots } from '@podwright/cgroup-stats-interface';
import { cgroupName } from '@podwright/cgroup-files';
import type { OnDemandCgroupStatsConfig } from './on-demand-cgroup-stats-config.js';

type RootsConfig = Pick<
  OnDemandCgroupStatsConfig,
  'cgroupDriver' | 'cgroupRoot' | 'cgroupsPerQos' | 'kubeletCgroups' | 'runtimeCgroups' | 'systemCgroups'
>;

/** Which cgroups have a role. `ownCgroups` is /proc/self/cgroup. Source: kubernetes v1.36 cmd/kubelet/app/server.go, pkg/kubelet/cm. */
export function cgroupRoots(config: RootsConfig, ownCgroups: string): CgroupRoots {
  const pods = cgroupName(config.cgroupDriver, config.cgroupRoot, config.cgroupsPerQos ? ['kubepods'] : []);
  const kubelet = config.kubeletCgroups === '' ? ownCgroup(ownCgroups) : config.kubeletCgroups;
  return {
    pods,
    ...(kubelet !== undefined && { kubelet }),
    ...(config.runtimeCgroups !== '' && { runtime: config.runtimeCgroups }),
    ...(config.systemCgroups !== '' && { system: config.systemCgroups }),
  };
}

/**
 * The cgroup of this process, for its accounting; undefined when the v1 controllers of cpu and memory have it in different ones.
 * systemd's own hierarchy counts before them: it has a cgroup for each unit, also where accounting is off.
 * Source: kubernetes v1.36 pkg/kubelet/cm/container_manager_linux.go getContainer.
 */
export function ownCgroup(procCgroup: string): string | undefined {
  const cgroups = new Map<string, string>();
  for (const line of procCgroup.split('\n')) {
    const [, controllers, cgroup] = /^\d+:([^:]*):(.*)$/.exec(line) ?? [];
    if (controllers === undefined || cgroup === undefined) continue;
    for (const controller of controllers.split(',')) cgroups.set(controller, cgroup);
  }
  const [cpu, memory] = [cgroups.get('cpu'), cgroups.get('memory')];
  if (cpu === undefined && memory === undefined) return cgroups.get('');
  if (cpu !== memory) return undefined;
  return cgroups.get('name=systemd') ?? cpu;
}
