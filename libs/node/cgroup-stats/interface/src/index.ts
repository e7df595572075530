export { CADVISOR_METRICS, CGROUP_STATS } from './cgroup-stats.js';
export type { CgroupRoots, CgroupStats, SampleOptions } from './cgroup-stats.js';
export type {
  BlockDeviceSample,
  CgroupLimits,
  CgroupSample,
  CpuSample,
  MemorySample,
  NetworkInterfaceSample,
  OperationCounts,
  Pressure,
  PressureLine,
} from './cgroup-sample.js';
export type { MachineInfo } from './machine-info.js';
