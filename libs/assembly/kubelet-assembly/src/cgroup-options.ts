import { configure, type ConfiguredModule, type OptionsOf } from '@podwright/assembly-interface';
import { cgroupDriverModule, cgroupModule, type KubeCgroupConfig } from '@podwright/cgroup';
import { cgroupStatsModule } from '@podwright/cgroup-stats';
import { isCrioEndpoint } from '@podwright/cri-client-interface';
import type { LinuxResourcesConfig } from '@podwright/linux-resources';
import { KubeletError } from '@podwright/errors';
import { parseQuantity, quantityToNumber } from '@podwright/kube-types';
import type { KubeletConfiguration } from '@podwright/kubelet-configuration';
import { parseGoDuration } from '@podwright/time';
import path from 'node:path';
import type { NodeSettings } from './node-settings.js';

/** Options of the cgroup manager for pods and node, and of the modules that watch cgroups. */
export function cgroupOptions(settings: NodeSettings): readonly ConfiguredModule[] {
  const { configuration, flags } = settings;
  return [
    configure(cgroupDriverModule, { cgroupDriver: cgroupNames(configuration).cgroupDriver }),
    configure(cgroupModule, {
      ...cgroupNames(configuration),
      podPidsLimit: configuration.podPidsLimit,
      cpuCfsQuota: configuration.cpuCFSQuota,
      cpuCfsQuotaPeriodMs: parseGoDuration(configuration.cpuCFSQuotaPeriod),
      memoryQos: hasMemoryQos(settings),
      memoryReservationPolicy: configuration.memoryReservationPolicy,
      qosReservedMemoryPercent: reservedPercent(configuration.qosReserved),
      enforceNodeAllocatable: configuration.enforceNodeAllocatable,
      systemReserved: configuration.systemReserved,
      kubeReserved: configuration.kubeReserved,
      reservedSystemCpus: configuration.reservedSystemCPUs,
      systemReservedCgroup: configuration.systemReservedCgroup,
      kubeReservedCgroup: configuration.kubeReservedCgroup,
      cpuManagerPolicy: configuration.cpuManagerPolicy,
      kernelTunables: configuration.protectKernelDefaults ? 'error' : 'modify',
      failSwapOn: configuration.failSwapOn,
      oomScoreAdj: configuration.oomScoreAdj,
      kubeletCgroups: configuration.kubeletCgroups,
      systemCgroups: configuration.systemCgroups,
    }),
    configure(cgroupStatsModule, {
      ...cgroupNames(configuration),
      kubeletCgroups: configuration.kubeletCgroups,
      runtimeCgroups: flags.runtimeCgroups,
      systemCgroups: configuration.systemCgroups,
      rootDir: path.resolve(flags.rootDir),
      // As upstream, always with CRI-O.
      fileSystems:
        configuration.localStorageCapacityIsolation || isCrioEndpoint(configuration.containerRuntimeEndpoint),
      machineIdFile: flags.machineIdFile,
      bootIdFile: flags.bootIdFile,
      // A negative interval is none.
      maxAgeMs: Math.max(0, parseGoDuration(flags.housekeepingInterval)),
    }),
  ];
}

type MemoryOptions = Pick<
  OptionsOf<LinuxResourcesConfig>,
  | 'nodeSwapBytes'
  | 'swapControllerAvailable'
  | 'memorySwapBehavior'
  | 'memoryQos'
  | 'memoryThrottlingFactor'
  | 'memoryReservationPolicy'
  | 'nodeAllocatableMemoryBytes'
>;

/** Memory settings of containers apart from their limits: protection, throttling, swap. */
export function memoryOptions(settings: NodeSettings): MemoryOptions {
  const { configuration, facts, gates } = settings;
  const { systemReserved, kubeReserved, memorySwap } = configuration;
  const reserved = [systemReserved, kubeReserved].map((list) => quantityToNumber(parseQuantity(list['memory'] ?? '0')));
  const allocatable = reserved.reduce((rest, bytes) => rest - bytes, facts.memoryBytes);
  return {
    nodeSwapBytes: facts.swapBytes,
    swapControllerAvailable: facts.swapControllerAvailable,
    memorySwapBehavior: memorySwap.swapBehavior === 'LimitedSwap' && gates.nodeSwap ? 'LimitedSwap' : 'NoSwap',
    memoryQos: hasMemoryQos(settings),
    memoryThrottlingFactor: configuration.memoryThrottlingFactor,
    memoryReservationPolicy: configuration.memoryReservationPolicy,
    nodeAllocatableMemoryBytes: Math.max(0, allocatable),
  };
}

function cgroupNames({
  cgroupDriver,
  cgroupRoot,
  cgroupsPerQOS,
}: KubeletConfiguration): Pick<KubeCgroupConfig, 'cgroupDriver' | 'cgroupRoot' | 'cgroupsPerQos'> {
  return {
    // As upstream, every other word stands for cgroupfs.
    cgroupDriver: cgroupDriver === 'systemd' ? 'systemd' : 'cgroupfs',
    cgroupRoot: cgroupRoot === '' ? '/' : cgroupRoot,
    cgroupsPerQos: cgroupsPerQOS,
  };
}

const hasMemoryQos = ({ facts, gates }: NodeSettings): boolean => gates.memoryQos && facts.cgroupVersion === 2;

/** Source: kubernetes v1.36 pkg/kubelet/cm/qos_container_manager_linux.go ParseQOSReserved, helpers.go parsePercentage. */
function reservedPercent(qosReserved: Readonly<Record<string, string>>): number {
  const refused = (problem: string): KubeletError =>
    new KubeletError(`failed to run Kubelet: --qos-reserved value failed to parse: ${problem}`, {
      code: 'invalid-argument',
    });
  for (const [name, text] of Object.entries(qosReserved)) {
    if (name !== 'memory') throw refused(`cannot reserve ${JSON.stringify(name)} resource`);
    const percent = percentageOf(text);
    if (typeof percent === 'number') return percent;
    throw refused(
      `failed to parse percentage ${JSON.stringify(text)} for ${JSON.stringify(name)} resource: ${percent}`,
    );
  }
  return 0;
}

/** A fault is a text. */
function percentageOf(text: string): number | string {
  if (!text.endsWith('%')) return `percentage expected, got '${text}'`;
  const digits = text.replace(/%+$/, '');
  if (!/^[-+]?\d+$/.test(digits)) return `invalid number in percentage '${text}'`;
  const percent = Number(digits);
  return percent < 0 || percent > 100 ? 'percentage must be between 0 and 100' : percent;
}
