import { hugePageSizeName, milliCpuToQuotaUs, milliCpuToShares } from '@podwright/cgroup-files';
import type { ExclusiveCpus } from '@podwright/cpu-manager-interface';
import type { DeepPartial, HugepageLimit, LinuxContainerResources } from '@podwright/cri-client-interface';
import { isHugePageResource, type Container, type Pod, type QuantityLike } from '@podwright/kube-types';
import {
  isCriticalPod,
  podLimits,
  podQosClass,
  podRequests,
  quantityToBytes,
  quantityToMilli,
  quantityToNumber,
  quantityValue,
} from '@podwright/kube-types';
import { memoryQosFiles, type MemoryQosSettings } from './memory-qos.js';
import { oomScoreAdj } from './oom-score-adj.js';

/** Node settings that resources depend on. */
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

/**
 * Resources of one container. Source: kubernetes v1.36 pkg/kubelet/kuberuntime/kuberuntime_container_linux.go
 * generateLinuxContainerResources.
 */
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

/** Resources of the whole pod, without overhead. Source: as above, calculateSandboxResources. */
export function sandboxResources(
  pod: Pod,
  settings: ResourceSettings,
  exclusiveCpus?: Pick<ExclusiveCpus, 'podHas'>,
): Resources {
  const requests = podRequests(pod, { excludeOverhead: true });
  const limits = podLimits(pod, { excludeOverhead: true });
  return amounts(requests['cpu'], limits['cpu'], limits['memory'], settings, exclusiveCpus?.podHas(pod) === true);
}

/** Resources of the overhead, which is both request and limit; empty without overhead. */
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
  const periodUs = Math.trunc(settings.cpuCfsQuotaPeriodMs * 1000);
  return {
    cpuShares: BigInt(milliCpuToShares(quantityToMilli(cpuRequest ?? cpuLimit))),
    ...(memoryLimit === 0n ? {} : { memoryLimitInBytes: memoryLimit }),
    ...(settings.cpuCfsQuota
      ? {
          // A quota would throttle a container that has its CPUs exclusively.
          cpuQuota: BigInt(isPinned ? -1 : milliCpuToQuotaUs(quantityToMilli(cpuLimit), periodUs)),
          cpuPeriod: BigInt(periodUs),
        }
      : {}),
    // runc supports the unified map only on cgroup v2.
    ...(settings.cgroupVersion === 2 && !settings.singleProcessOomKill ? { unified: { 'memory.oom.group': '1' } } : {}),
  };
}

function hugepageLimits(
  limits: Readonly<Record<string, string>>,
  sizes: readonly string[],
): DeepPartial<HugepageLimit>[] {
  const wanted = new Map(
    Object.entries(limits)
      .filter(([name]) => isHugePageResource(name))
      .map(([name, limit]) => [
        hugePageSizeName(quantityToBytes(name.slice('hugepages-'.length))),
        quantityValue(limit),
      ]),
  );
  return sizes.map((pageSize) => ({ pageSize, limit: wanted.get(pageSize) ?? 0n }));
}

/** Swap limit of a container. Source: kubernetes v1.36, as above, configureContainerSwapResources. */
function swap(pod: Pod, container: Container, resources: Resources, settings: ResourceSettings): Resources {
  if (!settings.swapControllerAvailable) return {};
  if (settings.cgroupVersion !== 2) {
    // With memory plus swap equal to memory, the container has no swap.
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
