import { readdir } from 'node:fs/promises';
import { absentIs } from './cgroup-errors.js';

/** A huge page size that the kernel supports. */
export interface HugePageSize {
  readonly bytes: number;
  /** The size as in the names of cgroup files, such as `2MB`. */
  readonly name: string;
}

/**
 * The huge page sizes of the kernel; none when it has no huge pages. `directory` has one entry `hugepages-<n>kB` per
 * size.
 */
export async function hugePageSizes(directory = '/sys/kernel/mm/hugepages'): Promise<readonly HugePageSize[]> {
  const entries = await readdir(directory).catch(absentIs<readonly string[]>([]));
  return entries.flatMap((entry) => {
    const kilobytes = /^hugepages-(\d+)kB$/.exec(entry)?.[1];
    if (kilobytes === undefined) return [];
    const bytes = Number(kilobytes) * 1024;
    return [{ bytes, name: hugePageSizeName(bytes) }];
  });
}

/**
 * A size such as `2MB` or `1GB`. Source: kubernetes v1.36 pkg/apis/core/v1/helper/helpers.go
 * HugePageUnitSizeFromByteSize.
 */
export function hugePageSizeName(bytes: number): string {
  const units = ['B', 'KB', 'MB', 'GB', 'TB', 'PB'];
  let [size, unit] = [bytes, 0];
  for (; size % 1024 === 0 && size > 0 && unit < units.length - 1; unit += 1) size /= 1024;
  return `${size}${units[unit] ?? ''}`;
}
