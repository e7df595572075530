import {
  booleanField,
  createToken,
  defineConfig,
  durationMsField,
  enumField,
  integerField,
  stringField,
} from '@podwright/assembly-interface';

export interface OnDemandCgroupStatsConfig {
  readonly cgroupDriver: 'cgroupfs' | 'systemd';
  /** Parent of `kubepods`. */
  readonly cgroupRoot: string;
  /** false: pods go below the root, without `kubepods`. */
  readonly cgroupsPerQos: boolean;
  /** Cgroup of the kubelet; empty: the one it finds itself in, where cpu and memory agree. */
  readonly kubeletCgroups: string;
  /** Cgroup of the container runtime; empty: not watched. */
  readonly runtimeCgroups: string;
  /** Cgroup of other processes; empty: not watched. */
  readonly systemCgroups: string;
  /** Gate KubeletPSI: pressure is read where the kernel tells it. */
  readonly pressure: boolean;
  /** Gate PodAndContainerStatsFromCRI: the container metrics of `/metrics/cadvisor` are those of the runtime. */
  readonly containerMetricsFromCri: boolean;
  /** How old a reading may be that answers, in milliseconds. */
  readonly maxAgeMs: number;
  /** Cgroups that are read at the same time. */
  readonly concurrentReads: number;
  /** The kubelet's root folder: file systems of its pods are not shown. */
  readonly rootDir: string;
  /** `/proc`, `/sys` and `/etc` are read below it; tests point it elsewhere. */
  readonly hostRoot: string;
}

export const ON_DEMAND_CGROUP_STATS_CONFIG = createToken<OnDemandCgroupStatsConfig>('kubelet.cgroup-stats.config/v1');

export const onDemandCgroupStatsConfig = defineConfig<OnDemandCgroupStatsConfig>(ON_DEMAND_CGROUP_STATS_CONFIG, {
  cgroupDriver: enumField(['cgroupfs', 'systemd'], 'cgroupfs'),
  cgroupRoot: stringField('/'),
  cgroupsPerQos: booleanField(true),
  kubeletCgroups: stringField(''),
  runtimeCgroups: stringField(''),
  systemCgroups: stringField(''),
  pressure: booleanField(true),
  containerMetricsFromCri: booleanField(false),
  maxAgeMs: durationMsField(10_000),
  concurrentReads: integerField(4, { min: 1, max: 64 }),
  rootDir: stringField('/var/lib/kubelet'),
  hostRoot: stringField('/'),
});
