import {
  booleanField,
  defineConfig,
  durationMsField,
  enumField,
  integerField,
  listField,
  stringField,
  stringMapField,
  type ConfigField,
  type FieldFault,
} from '@podwright/assembly-interface';
import { tryParseQuantity } from '@podwright/kube-types';

/** Values of `enforceNodeAllocatable`. Source: kubernetes v1.36 pkg/kubelet/types/constants.go. */
export const enforceable = [
  'none',
  'pods',
  'system-reserved',
  'system-reserved-compressible',
  'kube-reserved',
  'kube-reserved-compressible',
] as const;

export interface KubeCgroupConfig {
  /** How cgroups are created and named. `CGROUP_DRIVER` overrides it. */
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
  /** Gate PodLevelResources: `spec.resources` applies. */
  readonly podLevelResources: boolean;
  /** Gate MemoryQoS, cgroup v2 only: write memory.min and memory.low. */
  readonly memoryQos: boolean;
  readonly memoryReservationPolicy: 'None' | 'TieredReservation';
  /** Gate QOSReserved: `qosReservedMemoryPercent` applies. */
  readonly qosReserved: boolean;
  /** Percentage of memory requests that lower QoS classes cannot use; 0 for none. */
  readonly qosReservedMemoryPercent: number;
  /** Any of `enforceable`; without `pods` the limits of `kubepods` are the node's capacity. */
  readonly enforceNodeAllocatable: readonly string[];
  /** Resource (`cpu`, `memory`, `pid`, `hugepages-*`) -> quantity. */
  readonly systemReserved: Readonly<Record<string, string>>;
  readonly kubeReserved: Readonly<Record<string, string>>;
  /** CPU list; when set, replaces the cpu of both reservations. */
  readonly reservedSystemCpus: string;
  /** Existing cgroups that get the reservations as limits. */
  readonly systemReservedCgroup: string;
  readonly kubeReservedCgroup: string;
  /** `static`: the CPU manager sets cpusets itself. */
  readonly cpuManagerPolicy: string;
  /** `modify` sets the kernel's flags, `error` refuses to start when they differ, `warn` only logs. */
  readonly kernelTunables: 'modify' | 'error' | 'warn';
  /** Gate KubeletInUserNamespace: in a user namespace the kernel may refuse its flags. */
  readonly inUserNamespace: boolean;
  /** Whether the kubelet refuses to start while swap is on. */
  readonly failSwapOn: boolean;
  /** oom_score_adj of this process, -1000 to 1000; `undefined` leaves it unchanged. */
  readonly oomScoreAdj: number | undefined;
  /** Cgroup to which this process moves; empty: it does not move. */
  readonly kubeletCgroups: string;
  /** Cgroup to which all processes of the root cgroup move, except kernel threads and init; empty: they do not move. */
  readonly systemCgroups: string;
  /** Root directory below which `/proc` and `/sys` are read and written. */
  readonly hostRoot: string;
  /** The kernel's list of mounts; tests set another file. */
  readonly mountInfoFile: string;
  /** Directory in which the kernel lists its huge page sizes. */
  readonly hugePagesDir: string;
}

function optional<T>(field: ConfigField<T>): ConfigField<T | undefined> {
  return {
    decode: (value, name) => (value === undefined ? { ok: true, value: undefined } : field.decode(value, name)),
  };
}

function faultsOf(config: KubeCgroupConfig): readonly FieldFault[] {
  const { systemReserved, kubeReserved, enforceNodeAllocatable } = config;
  const unknown = enforceNodeAllocatable
    .filter((value) => !(enforceable as readonly string[]).includes(value))
    .map((value) => ({ field: 'enforceNodeAllocatable', value, problem: `must be among ${enforceable.join(', ')}` }));
  const amounts = Object.entries({ systemReserved, kubeReserved }).flatMap(([field, list]) =>
    Object.entries(list)
      .filter(([, text]) => tryParseQuantity(text) === undefined)
      .map(([name, text]) => ({ field: `${field}.${name}`, value: text, problem: 'must be a quantity' })),
  );
  return [...unknown, ...amounts];
}

const fields = {
  cgroupDriver: enumField(['cgroupfs', 'systemd'], 'cgroupfs'),
  cgroupRoot: stringField('/'),
  cgroupsPerQos: booleanField(true),
  podPidsLimit: integerField(-1),
  cpuCfsQuota: booleanField(true),
  cpuCfsQuotaPeriodMs: durationMsField(100),
  podLevelResources: booleanField(true),
  memoryQos: booleanField(false),
  memoryReservationPolicy: enumField(['None', 'TieredReservation'], 'None'),
  qosReserved: booleanField(false),
  qosReservedMemoryPercent: integerField(0, { min: 0, max: 100 }),
  enforceNodeAllocatable: listField(['pods']),
  systemReserved: stringMapField({}),
  kubeReserved: stringMapField({}),
  reservedSystemCpus: stringField(''),
  systemReservedCgroup: stringField(''),
  kubeReservedCgroup: stringField(''),
  cpuManagerPolicy: stringField('none'),
  kernelTunables: enumField(['modify', 'error', 'warn'], 'warn'),
  inUserNamespace: booleanField(false),
  failSwapOn: booleanField(false),
  oomScoreAdj: optional(integerField(0, { min: -1000, max: 1000 })),
  kubeletCgroups: stringField(''),
  systemCgroups: stringField(''),
  hostRoot: stringField('/'),
  mountInfoFile: stringField('/proc/self/mountinfo'),
  hugePagesDir: stringField('/sys/kernel/mm/hugepages'),
};

export const kubeCgroupConfig = defineConfig<KubeCgroupConfig>(fields, faultsOf);
