import type { HugePageSize } from '@podwright/cgroup-files';
import { quantityToBytes, quantityValue, type ResourceAmounts } from '@podwright/kube-types';

const prefix = 'hugepages-';

/**
 * Limits of a pod from its requests; page sizes that it does not request are limited to 0. Source: kubernetes v1.36
 * pkg/kubelet/cm/helpers_linux.go HugePageLimits, cgroup_manager_linux.go toResources.
 */
export function hugePageLimits(sizes: readonly HugePageSize[], requests: ResourceAmounts): ReadonlyMap<string, bigint> {
  const requested = new Map<number, bigint>();
  for (const [name, amount] of Object.entries(requests)) {
    if (!name.startsWith(prefix)) continue;
    const bytes = quantityToBytes(name.slice(prefix.length));
    requested.set(bytes, (requested.get(bytes) ?? 0n) + quantityValue(amount));
  }
  return new Map(sizes.map(({ bytes, name }) => [name, requested.get(bytes) ?? 0n]));
}

/** Limits of the QoS cgroups: none. */
export function unlimitedHugePages(sizes: readonly HugePageSize[]): ReadonlyMap<string, bigint> {
  return new Map(sizes.map(({ name }) => [name, 1n << 62n]));
}
