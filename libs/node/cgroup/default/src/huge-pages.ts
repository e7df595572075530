import { readdir } from 'node:fs/promises';
import { quantityToBytes, quantityValue, type ResourceAmounts } from '@podwright/kube-types';
import { absentIs } from '@podwright/cgroup-files';

/** A size of huge pages that the kernel knows. */
export interface HugePageSize {
  readonly bytes: number;
  /** As in the names of the files, such as `2MB`. */
  readonly name: string;
}

const prefix = 'hugepages-';
const bytesPerKb = 1024;

/** Sizes by the kernel's folder, one entry `hugepages-<n>kB` each; none where the kernel has no huge pages. */
export async function hugePageSizes(directory: string): Promise<readonly HugePageSize[]> {
  const entries = await readdir(directory).catch(absentIs<readonly string[]>([]));
  return entries.flatMap((entry) => {
    const kilobytes = /^hugepages-(\d+)kB$/.exec(entry)?.[1];
    return kilobytes === undefined ? [] : [hugePageSize(Number(kilobytes) * bytesPerKb)];
  });
}

function hugePageSize(bytes: number): HugePageSize {
  let [amount, unit] = [bytes / bytesPerKb, 0];
  for (; amount >= bytesPerKb && unit < 2; unit += 1) amount /= bytesPerKb;
  return { bytes, name: `${Math.trunc(amount)}${['KB', 'MB', 'GB'][unit]}` };
}

/**
 * Limits of a pod by what it requests; every size that it does not name is forbidden. Source: kubernetes v1.36
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

/** What the classes get: all there is. */
export function unlimitedHugePages(sizes: readonly HugePageSize[]): ReadonlyMap<string, bigint> {
  return new Map(sizes.map(({ name }) => [name, 1n << 62n]));
}
