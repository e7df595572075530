import { KubeletError } from '@podwright/errors';
import { parseQuantity, quantityToNumber } from '@podwright/kube-types';
import {
  durationToMs,
  type FeatureGates,
  type KubeletConfiguration,
  type KubeletFlags,
} from '@podwright/kubelet-configuration';
import path from 'node:path';
import type { NodeFacts } from './node-facts.js';

type Options = Readonly<Record<string, unknown>>;

/** What the cgroup manager does to pods and to the node. */
export function cgroupOptions(
  configuration: KubeletConfiguration,
  facts: NodeFacts,
  featureGates: FeatureGates,
): Options {
  return {
    ...cgroupNames(configuration),
    podPidsLimit: configuration.podPidsLimit,
    cpuCfsQuota: configuration.cpuCFSQuota,
    cpuCfsQuotaPeriodMs: durationToMs(configuration.cpuCFSQuotaPeriod),
    podLevelResources: featureGates.enabled('PodLevelResources'),
    memoryQos: hasMemoryQos(facts, featureGates),
    memoryReservationPolicy: configuration.memoryReservationPolicy,
    qosReserved: featureGates.enabled('QOSReserved'),
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
  };
}

/** How cgroups are watched. */
export function cgroupStatsOptions(
  configuration: KubeletConfiguration,
  flags: KubeletFlags,
  featureGates: FeatureGates,
): Options {
  return {
    ...cgroupNames(configuration),
    kubeletCgroups: configuration.kubeletCgroups,
    runtimeCgroups: flags.runtimeCgroups,
    systemCgroups: configuration.systemCgroups,
    pressure: featureGates.enabled('KubeletPSI'),
    containerMetricsFromCri: featureGates.enabled('PodAndContainerStatsFromCRI'),
    rootDir: path.resolve(flags.rootDir),
  };
}

/** What containers get of memory beside their limits: protection, throttling, swap. */
export function memoryOptions(
  configuration: KubeletConfiguration,
  facts: NodeFacts,
  featureGates: FeatureGates,
): Options {
  const { systemReserved, kubeReserved, memorySwap } = configuration;
  const reserved = [systemReserved, kubeReserved].map((list) => quantityToNumber(parseQuantity(list['memory'] ?? '0')));
  const allocatable = reserved.reduce((rest, bytes) => rest - bytes, facts.memoryBytes);
  return {
    nodeSwapBytes: facts.swapBytes,
    swapControllerAvailable: facts.swapControllerAvailable,
    memorySwapBehavior:
      memorySwap.swapBehavior === 'LimitedSwap' && featureGates.enabled('NodeSwap') ? 'LimitedSwap' : 'NoSwap',
    memoryQos: hasMemoryQos(facts, featureGates),
    memoryThrottlingFactor: configuration.memoryThrottlingFactor,
    memoryReservationPolicy: configuration.memoryReservationPolicy,
    nodeAllocatableMemoryBytes: Math.max(0, allocatable),
  };
}

function cgroupNames({ cgroupDriver, cgroupRoot, cgroupsPerQOS }: KubeletConfiguration): Options {
  return { cgroupDriver, cgroupRoot: cgroupRoot === '' ? '/' : cgroupRoot, cgroupsPerQos: cgroupsPerQOS };
}

function hasMemoryQos({ cgroupVersion }: NodeFacts, featureGates: FeatureGates): boolean {
  return featureGates.enabled('MemoryQoS') && cgroupVersion === 2;
}

/** Source: kubernetes v1.36 pkg/kubelet/cm/qos_container_manager_linux.go ParseQOSReserved, helpers.go parsePercentage. */
function reservedPercent(qosReserved: Readonly<Record<string, string>>): number {
  for (const [name, text] of Object.entries(qosReserved)) {
    if (name !== 'memory')
      throw new KubeletError(`cannot reserve ${JSON.stringify(name)} resource`, { code: 'invalid-argument' });
    const percent = /^(\d+)%$/.exec(text)?.[1];
    if (percent === undefined || Number(percent) > 100)
      throw new KubeletError(
        `failed to parse percentage ${JSON.stringify(text)} for ${JSON.stringify(name)} resource`,
        { code: 'invalid-argument' },
      );
    return Number(percent);
  }
  return 0;
}
