import {
  booleanField,
  createToken,
  defineConfig,
  durationMsField,
  enumField,
  integerField,
  stringField,
} from '@podwright/assembly-interface';

export interface CgroupfsConfig {
  /** `cgroupfs` or `systemd`: how names are rendered, and who makes pod cgroups; with `systemd` the runtime does. */
  readonly cgroupDriver: 'cgroupfs' | 'systemd';
  /** Parent of `kubepods`. */
  readonly cgroupRoot: string;
  /** false: no `kubepods` hierarchy, pods go below the root. */
  readonly cgroupsPerQos: boolean;
  /** Processes and threads of one pod; no limit when not positive. */
  readonly podPidsLimit: number;
  /** false: pods have no CPU quota, whatever their limits. */
  readonly cpuCfsQuota: boolean;
  readonly cpuCfsQuotaPeriodMs: number;
  /** Gate PodLevelResources: whether `spec.resources` counts. */
  readonly podLevelResources: boolean;
  /** Gate MemoryQoS, cgroup v2 only: memory.min and memory.low are written. */
  readonly memoryQos: boolean;
  readonly memoryReservationPolicy: 'None' | 'TieredReservation';
  /** Where the kernel's list of mounts is read; tests point it elsewhere. */
  readonly mountInfoFile: string;
  /** Where the kernel lists its sizes of huge pages. */
  readonly hugePagesDir: string;
}

export const CGROUPFS_CONFIG = createToken<CgroupfsConfig>('kubelet.cgroup.config/v1');

export const cgroupfsConfig = defineConfig<CgroupfsConfig>(CGROUPFS_CONFIG, {
  cgroupDriver: enumField(['cgroupfs', 'systemd'], 'cgroupfs'),
  cgroupRoot: stringField('/'),
  cgroupsPerQos: booleanField(true),
  podPidsLimit: integerField(-1),
  cpuCfsQuota: booleanField(true),
  cpuCfsQuotaPeriodMs: durationMsField(100),
  podLevelResources: booleanField(true),
  memoryQos: booleanField(false),
  memoryReservationPolicy: enumField(['None', 'TieredReservation'], 'None'),
  mountInfoFile: stringField('/proc/self/mountinfo'),
  hugePagesDir: stringField('/sys/kernel/mm/hugepages'),
});
