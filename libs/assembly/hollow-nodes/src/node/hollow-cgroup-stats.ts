import type { CgroupStats, MachineInfo } from '@podwright/cgroup-stats-interface';
import type { SimulatedMachine } from '@podwright/kubelet-assembly';

/** Usage of cgroups on a node that has none. */
export function hollowCgroupStats({ cores, memoryBytes }: SimulatedMachine): CgroupStats {
  const machine: MachineInfo = {
    ...{ cores, physicalCores: cores, sockets: 1, memoryBytes, swapBytes: 0, memoryModules: [] },
    ...{ machineId: '', systemUuid: '', bootId: '', bootTimeMs: 0, kernelVersion: '', osVersion: '' },
    ...{ cgroupVersion: 2, pressure: false },
  };
  return {
    start: async () => undefined,
    stop: async () => undefined,
    healthy: () => ({ ok: true }),
    sample: async () => undefined,
    samples: async () => [],
    containerPath: async () => undefined,
    roots: () => ({ pods: '/' }),
    machine: () => machine,
  };
}
