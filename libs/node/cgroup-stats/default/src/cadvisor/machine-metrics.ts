import type { MachineInfo } from '@podwright/cgroup-stats-interface';
import type { MetricFamily } from '@podwright/metrics';

/** `[name, help, values of one extra label]`, or a single value. */
type MachineMetric = readonly [
  name: string,
  help: string,
  value: (machine: MachineInfo) => number | readonly Labelled[],
];
interface Labelled {
  readonly label: readonly [name: string, value: string];
  readonly value: number;
}

// Always 0: books and drawers exist on mainframes only, and upstream is built without the library for non-volatile
// memory.
const none = (): number => 0;

/** Metrics of the machine. Source: google/cadvisor v0.56 metrics/prometheus_machine.go. */
const machineMetrics: readonly MachineMetric[] = [
  ['machine_cpu_physical_cores', 'Number of physical CPU cores.', ({ physicalCores }) => physicalCores],
  ['machine_cpu_cores', 'Number of logical CPU cores.', ({ cores }) => cores],
  ['machine_cpu_sockets', 'Number of CPU sockets.', ({ sockets }) => sockets],
  ['machine_cpu_books', 'Number of CPU books.', none],
  ['machine_cpu_drawers', 'Number of CPU drawers.', none],
  ['machine_memory_bytes', 'Amount of memory installed on the machine.', ({ memoryBytes }) => memoryBytes],
  ['machine_swap_bytes', 'Amount of swap memory available on the machine.', ({ swapBytes }) => swapBytes],
  [
    'machine_dimm_count',
    'Number of RAM DIMM (all types memory modules) value labeled by dimm type.',
    ({ memoryModules }) => memoryModules.map(({ type, count }) => ({ label: ['type', type], value: count })),
  ],
  [
    'machine_dimm_capacity_bytes',
    'Total RAM DIMM capacity (all types memory modules) value labeled by dimm type.',
    ({ memoryModules }) => memoryModules.map(({ type, bytes }) => ({ label: ['type', type], value: bytes })),
  ],
  [
    'machine_nvm_capacity',
    'NVM capacity value labeled by NVM mode (memory mode or app direct mode).',
    () => ['memory_mode', 'app_direct_mode'].map((mode) => ({ label: ['mode', mode], value: 0 })),
  ],
  ['machine_nvm_avg_power_budget_watts', 'NVM power budget.', none],
];

/**
 * Machine metrics. Not sorted. As in upstream without time stamps, which would make the series outlive the kubelet in
 * Prometheus by five minutes.
 */
export function machineFamilies(machine: MachineInfo): readonly MetricFamily[] {
  const ids = [
    ['boot_id', machine.bootId],
    ['machine_id', machine.machineId],
    ['system_uuid', machine.systemUuid],
  ] as const;
  const families = machineMetrics.map(([name, help, values]): MetricFamily => {
    const found = values(machine);
    const points =
      typeof found === 'number'
        ? [{ labels: ids, value: found }]
        : found.map(({ label, value }) => ({
            labels: [...ids, label].sort(([left], [right]) => (left < right ? -1 : 1)),
            value,
          }));
    return { name, help, type: 'gauge', points };
  });
  const scrapeError = '1 if there was an error while getting machine metrics, 0 otherwise.';
  return [
    ...families.filter(({ points }) => [...points].length > 0),
    { name: 'machine_scrape_error', help: scrapeError, type: 'gauge', points: [{ labels: [], value: 0 }] },
  ];
}

/** As in upstream's kubelet, the version of the cAdvisor library is empty. */
export function versionFamily({ kernelVersion, osVersion }: MachineInfo): MetricFamily {
  return {
    name: 'cadvisor_version_info',
    help: "A metric with a constant '1' value labeled by kernel version, OS version, docker version, cadvisor version & cadvisor revision.",
    type: 'gauge',
    points: [
      {
        labels: [
          ['cadvisorRevision', ''],
          ['cadvisorVersion', ''],
          ['dockerVersion', ''],
          ['kernelVersion', kernelVersion],
          ['osVersion', osVersion],
        ],
        value: 1,
      },
    ],
  };
}
