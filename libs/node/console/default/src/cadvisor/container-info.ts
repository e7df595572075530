import { containerIdOf } from '@podwright/cgroup-files';
import type { BlockDeviceSample, CgroupSample, MachineInfo, OperationCounts } from '@podwright/cgroup-stats-interface';
import { allStatuses } from '../pods/pod-row.js';
import { podUid, type Pod, type PodStatus } from '@podwright/kube-types';

/** A container of a pod, as cAdvisor knows it from the runtime. */
export interface ContainerOwner {
  readonly id: string;
  /** `containerd`, `cri-o`. */
  readonly runtime: string;
  readonly image: string;
  readonly labels: Readonly<Record<string, string>>;
}

type Json = Readonly<Record<string, unknown>>;

/** The containers of the pods by the bare CRI id. */
export function containerOwners(
  pods: readonly { readonly pod: Pod; readonly status: PodStatus | undefined }[],
): ReadonlyMap<string, ContainerOwner> {
  const owners = new Map<string, ContainerOwner>();
  for (const { pod, status } of pods) {
    const { name: podName = '', namespace = '' } = pod.metadata;
    for (const { name, image, containerID } of allStatuses(status)) {
      const [, runtime, id] = /^([^:]+):\/\/(.+)$/.exec(containerID ?? '') ?? [];
      if (runtime === undefined || id === undefined) continue;
      const labels = {
        'io.kubernetes.container.name': name,
        'io.kubernetes.pod.name': podName,
        'io.kubernetes.pod.namespace': namespace,
        'io.kubernetes.pod.uid': podUid(pod),
      };
      owners.set(id, { id, runtime, image, labels });
    }
  }
  return owners;
}

/**
 * One cgroup as cAdvisor's ContainerInfo, with the reading of now. Without environment variables. `paths` are those of all
 * cgroups. Source: google/cadvisor v0.56 info/v1/container.go.
 */
export function containerInfo(
  sample: CgroupSample,
  {
    owner,
    paths,
    machine,
    withStats,
  }: {
    readonly owner: ContainerOwner | undefined;
    readonly paths: readonly string[];
    readonly machine: Pick<MachineInfo, 'swapBytes'>;
    readonly withStats: boolean;
  },
): Json {
  const below = directlyBelow(sample.path, paths);
  return {
    ...(owner && { id: owner.id }),
    name: sample.path,
    ...(owner && { aliases: [owner.id], namespace: owner.runtime }),
    ...(below.length > 0 && { subcontainers: below.map((name) => ({ name })) }),
    spec: spec(sample, owner, machine),
    ...(withStats && { stats: [stats(sample)] }),
  };
}

/** The container of a cgroup, if it is that of one. */
export function ownerOf(path: string, owners: ReadonlyMap<string, ContainerOwner>): ContainerOwner | undefined {
  return owners.get(containerIdOf(path) ?? path.slice(path.lastIndexOf('/') + 1));
}

function directlyBelow(parent: string, paths: readonly string[]): readonly string[] {
  const prefix = parent === '/' ? '/' : `${parent}/`;
  return paths.filter((path) => path !== parent && path.startsWith(prefix) && !path.slice(prefix.length).includes('/'));
}

function spec(
  { createdMs, cpu, memory, limits, processes, network, io }: CgroupSample,
  owner: ContainerOwner | undefined,
  { swapBytes }: Pick<MachineInfo, 'swapBytes'>,
): Json {
  // As Go's encoder with omitempty: 0 and no limit are left out.
  const given = (values: Readonly<Record<string, number | undefined>>): Json =>
    Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined && value > 0));
  const { cpuShares, cpuQuotaUs, cpuPeriodUs, memoryLimit, memoryReservation, memorySwapLimit, pidsLimit } = limits;
  return {
    creation_time: new Date(createdMs).toISOString(),
    ...(owner && { labels: owner.labels }),
    has_cpu: cpu !== undefined,
    cpu: { limit: cpuShares ?? 0, max_limit: 0, ...given({ quota: cpuQuotaUs, period: cpuPeriodUs }) },
    has_memory: memory !== undefined,
    memory: given({
      limit: memoryLimit,
      reservation: memoryReservation,
      swap_limit: swapBytes > 0 ? memorySwapLimit : undefined,
    }),
    has_hugetlb: false,
    has_network: network !== undefined,
    has_processes: processes !== undefined,
    processes: given({ limit: pidsLimit }),
    has_filesystem: false,
    has_diskio: io?.devices !== undefined,
    has_custom_metrics: false,
    ...(owner && { image: owner.image }),
  };
}

function stats({ timeMs, cpu, memory, io, network = [], processes, limits }: CgroupSample): Json {
  const data = { pgfault: memory?.pageFaults ?? 0, pgmajfault: memory?.majorPageFaults ?? 0, numa_stats: {} };
  const interfaces = network.map((each) => ({
    ...{ name: each.name, rx_bytes: each.rxBytes, rx_packets: each.rxPackets, rx_errors: each.rxErrors },
    ...{ rx_dropped: each.rxDropped, tx_bytes: each.txBytes, tx_packets: each.txPackets, tx_errors: each.txErrors },
    tx_dropped: each.txDropped,
  }));
  const { periods = 0, throttledPeriods = 0, throttledNs = 0 } = cpu?.cfs ?? {};
  return {
    timestamp: new Date(timeMs).toISOString(),
    cpu: {
      usage: { total: cpu?.usageNs ?? 0, user: cpu?.userNs ?? 0, system: cpu?.systemNs ?? 0 },
      cfs: { periods, throttled_periods: throttledPeriods, throttled_time: throttledNs },
      schedstat: { run_time: 0, runqueue_time: 0, run_periods: 0 },
      load_average: 0,
    },
    diskio: diskIo(io?.devices ?? []),
    memory: {
      ...{ usage: memory?.usage ?? 0, max_usage: memory?.maxUsage ?? 0, cache: memory?.cache ?? 0 },
      ...{ rss: memory?.rss ?? 0, swap: memory?.swap ?? 0, mapped_file: memory?.mappedFile ?? 0 },
      ...{ working_set: memory?.workingSet ?? 0, failcnt: memory?.failCount ?? 0 },
      ...{ container_data: data, hierarchical_data: data },
    },
    network: { ...(interfaces[0] ?? noInterface), ...(interfaces.length > 0 && { interfaces }) },
    task_stats: { nr_sleeping: 0, nr_running: 0, nr_stopped: 0, nr_uninterruptible: 0, nr_io_wait: 0 },
    processes: {
      ...{ process_count: processes?.count ?? 0, fd_count: 0, socket_count: 0 },
      ...(processes?.threads !== undefined && { threads_current: processes.threads }),
      ...(limits.pidsLimit !== undefined && { threads_max: limits.pidsLimit }),
    },
    ...((memory?.oomKills ?? 0) > 0 && { oom_events: memory?.oomKills }),
  };
}

const noInterface = {
  ...{ name: '', rx_bytes: 0, rx_packets: 0, rx_errors: 0, rx_dropped: 0 },
  ...{ tx_bytes: 0, tx_packets: 0, tx_errors: 0, tx_dropped: 0 },
};

type CountsOf = (device: BlockDeviceSample) => OperationCounts | undefined;

const diskTables: Readonly<Record<string, CountsOf>> = {
  io_service_bytes: ({ serviceBytes }) => serviceBytes,
  io_serviced: ({ serviced }) => serviced,
  io_queued: ({ queued }) => queued,
  sectors: ({ sectors }) => sectors,
  io_service_time: ({ serviceTimeNs }) => serviceTimeNs,
  io_merged: ({ merged }) => merged,
};

function diskIo(devices: readonly BlockDeviceSample[]): Json {
  const tables = Object.entries(diskTables).map(([table, countsOf]) => {
    const rows = devices.flatMap((each) => {
      const counts = countsOf(each);
      const { device, major, minor } = each;
      return counts === undefined ? [] : [{ device, major, minor, stats: counts }];
    });
    return [table, rows] as const;
  });
  return Object.fromEntries(tables.filter(([, rows]) => rows.length > 0));
}
