import type { ExclusiveCpus } from '@podwright/cpu-manager-interface';
import type { DeepPartial, HugepageLimit, LinuxContainerResources } from '@podwright/cri-client-interface';
import type { Container, Pod, QuantityLike } from '@podwright/kube-types';
import {
  isCriticalPod,
  podLimits,
  podQosClass,
  podRequests,
  quantityToMilli,
  quantityToNumber,
  quantityValue,
} from '@podwright/kube-types';
import { milliCpuToQuota, milliCpuToShares } from './cgroup-values.js';
import { memoryQosFiles, type MemoryQosSettings } from './memory-qos.js';
import { oomScoreAdj } from './oom-score-adj.js';

/** The node's side of resources. */
export interface ResourceSettings extends Partial<MemoryQosSettings> {
  readonly cpuCfsQuota: boolean;
  readonly cpuCfsQuotaPeriodMs: number;
  readonly cgroupVersion: number;
  readonly singleProcessOomKill: boolean;
  readonly nodeMemoryBytes: number;
  readonly nodeSwapBytes: number;
  readonly swapControllerAvailable: boolean;
  readonly memorySwapBehavior: 'NoSwap' | 'LimitedSwap';
}

type Resources = DeepPartial<LinuxContainerResources>;

/** Source: kubernetes v1.36 pkg/kubelet/kuberuntime/kuberuntime_container_linux.go generateLinuxContainerResources. */
export function containerResources(
  pod: Pod,
  container: Container,
  settings: ResourceSettings,
  hugePageSizes: readonly string[],
  exclusiveCpus?: Pick<ExclusiveCpus, 'containerHas'>,
): Resources {
  const { requests = {}, limits = {} } = container.resources ?? {};
  const podLevel = pod.spec.resources?.limits ?? {};
  const limitOf = (name: 'cpu' | 'memory'): QuantityLike => (isPositive(limits[name]) ? limits[name] : podLevel[name]);
  const isPinned = exclusiveCpus?.containerHas(pod, container) === true;
  const resources = amounts(requests['cpu'], limitOf('cpu'), limitOf('memory'), settings, isPinned);
  const swapped = { ...resources, ...swap(pod, container, resources, settings) };
  const files = memoryQosFiles(pod, container, settings);
  return {
    ...swapped,
    ...(Object.keys(files).length > 0 && { unified: { ...swapped.unified, ...files } }),
    oomScoreAdj: oomScoreAdj(pod, container, BigInt(settings.nodeMemoryBytes)),
    hugepageLimits: hugepageLimits({ ...podLevel, ...limits }, hugePageSizes),
  };
}

/** The pod as a whole, without overhead. Source: as above, calculateSandboxResources. */
export function sandboxResources(
  pod: Pod,
  settings: ResourceSettings,
  exclusiveCpus?: Pick<ExclusiveCpus, 'podHas'>,
): Resources {
  const requests = podRequests(pod, { excludeOverhead: true });
  const limits = podLimits(pod, { excludeOverhead: true });
  return amounts(requests['cpu'], limits['cpu'], limits['memory'], settings, exclusiveCpus?.podHas(pod) === true);
}

/** Overhead counts as request and limit alike; empty without one. */
export function overheadResources(pod: Pod, settings: ResourceSettings): Resources {
  const { overhead } = pod.spec;
  if (overhead === undefined) return {};
  return amounts(overhead['cpu'] ?? '0', overhead['cpu'], overhead['memory'], settings);
}

function amounts(
  cpuRequest: QuantityLike,
  cpuLimit: QuantityLike,
  memory: QuantityLike,
  settings: ResourceSettings,
  isPinned = false,
): Resources {
  const memoryLimit = quantityValue(memory);
  const periodUs = BigInt(Math.trunc(settings.cpuCfsQuotaPeriodMs * 1000));
  return {
    cpuShares: milliCpuToShares(quantityToMilli(cpuRequest ?? cpuLimit)),
    ...(memoryLimit === 0n ? {} : { memoryLimitInBytes: memoryLimit }),
    ...(settings.cpuCfsQuota
      ? {
          // A quota would throttle whom the CPUs belong to alone.
          cpuQuota: isPinned ? -1n : milliCpuToQuota(quantityToMilli(cpuLimit), periodUs),
          cpuPeriod: periodUs,
        }
      : {}),
    // runc knows the unified map only on cgroup v2.
    ...(settings.cgroupVersion === 2 && !settings.singleProcessOomKill ? { unified: { 'memory.oom.group': '1' } } : {}),
  };
}

function hugepageLimits(
  limits: Readonly<Record<string, string>>,
  sizes: readonly string[],
): DeepPartial<HugepageLimit>[] {
  const wanted = new Map(
    Object.entries(limits)
      .filter(([name]) => name.startsWith('hugepages-'))
      .map(([name, limit]) => [pageSizeName(quantityValue(name.slice('hugepages-'.length))), quantityValue(limit)]),
  );
  return sizes.map((pageSize) => ({ pageSize, limit: wanted.get(pageSize) ?? 0n }));
}

/** `2MB`, `1GB`: the name of the cgroup file. */
export function pageSizeName(bytes: bigint): string {
  const units = ['B', 'KB', 'MB', 'GB', 'TB', 'PB'];
  let [value, unit] = [bytes, 0];
  while (value >= 1024n && unit < units.length - 1) {
    value /= 1024n;
    unit++;
  }
  return `${value}${units[unit] ?? ''}`;
}

/** Source: kubernetes v1.36, as above, configureContainerSwapResources. */
function swap(pod: Pod, container: Container, resources: Resources, settings: ResourceSettings): Resources {
  if (!settings.swapControllerAvailable) return {};
  if (settings.cgroupVersion !== 2) {
    // Memory plus swap equal to memory: no swap.
    const limit = resources.memoryLimitInBytes;
    return limit === undefined ? {} : { memorySwapLimitInBytes: limit };
  }
  const bytes = settings.memorySwapBehavior === 'LimitedSwap' ? limitedSwapBytes(pod, container, settings) : 0;
  return { unified: { ...resources.unified, 'memory.swap.max': String(bytes) } };
}

function limitedSwapBytes(pod: Pod, container: Container, settings: ResourceSettings): number {
  const request = container.resources?.requests?.['memory'];
  const limit = container.resources?.limits?.['memory'];
  const same = quantityValue(request) === quantityValue(limit);
  if (podQosClass(pod) !== 'Burstable' || isCriticalPod(pod) || !isPositive(request) || same) return 0;
  return Math.floor((quantityToNumber(request) / settings.nodeMemoryBytes) * settings.nodeSwapBytes);
}

function isPositive(quantity: QuantityLike): boolean {
  return quantityValue(quantity) > 0n;
}
