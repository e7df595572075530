import { defaultBootIdFile, defaultMachineIdFile } from '@podwright/machine';
import {
  booleanField,
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
  /** Cgroup of the kubelet; empty: the one it runs in, if its cpu and memory cgroups are the same. */
  readonly kubeletCgroups: string;
  /** Cgroup of the container runtime; empty: not watched. */
  readonly runtimeCgroups: string;
  /** Cgroup of other processes; empty: not watched. */
  readonly systemCgroups: string;
  /** Gate KubeletPSI: read pressure where the kernel reports it. */
  readonly pressure: boolean;
  /** Gate PodAndContainerStatsFromCRI: `/metrics/cadvisor` shows the runtime's container metrics. */
  readonly containerMetricsFromCri: boolean;
  /** `/metrics/cadvisor` shows the file systems of the machine and, with CRI-O, what containers have written. */
  readonly fileSystems: boolean;
  /** Maximum age in milliseconds of a cached reading that is returned. */
  readonly maxAgeMs: number;
  /** Number of cgroups read at the same time. */
  readonly concurrentReads: number;
  /** The kubelet's root directory; the file systems of its pods are not shown. */
  readonly rootDir: string;
  /** Root directory below which `/proc`, `/sys` and `/etc` are read; tests set another. */
  readonly hostRoot: string;
  /** Files with the machine's ID, by comma, below `hostRoot`; the first readable one counts. */
  readonly machineIdFile: string;
  /** The same for the ID of this boot. */
  readonly bootIdFile: string;
}

export const onDemandCgroupStatsConfig = defineConfig<OnDemandCgroupStatsConfig>({
  cgroupDriver: enumField(['cgroupfs', 'systemd'], 'cgroupfs'),
  cgroupRoot: stringField('/'),
  cgroupsPerQos: booleanField(true),
  kubeletCgroups: stringField(''),
  runtimeCgroups: stringField(''),
  systemCgroups: stringField(''),
  pressure: booleanField(true),
  containerMetricsFromCri: booleanField(false),
  fileSystems: booleanField(true),
  maxAgeMs: durationMsField(10_000),
  concurrentReads: integerField(4, { min: 1, max: 64 }),
  rootDir: stringField('/var/lib/kubelet'),
  hostRoot: stringField('/'),
  machineIdFile: stringField(defaultMachineIdFile),
  bootIdFile: stringField(defaultBootIdFile),
});
