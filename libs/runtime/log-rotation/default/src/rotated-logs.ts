const compressedSuffix = '.gz';
const temporarySuffix = '.tmp';

export const compressedName = (log: string): string => `${log}${compressedSuffix}`;
export const temporaryName = (log: string): string => `${log}${temporarySuffix}`;
export const isCompressed = (name: string): boolean => name.endsWith(compressedSuffix);

/** Names of the rotated files of a log: `<log>.<anything>`, as upstream matches them. */
export function rotatedFrom(log: string, names: readonly string[]): readonly string[] {
  return names.filter((name) => name.startsWith(`${log}.`));
}

/**
 * Separates files that hold a part of the log from leftovers: temporary files, and files whose `.gz` exists already.
 * Source: kubernetes v1.36 pkg/kubelet/logs/container_log_manager.go filterUnusedLogs.
 */
export function splitUnused(names: readonly string[]): {
  readonly inUse: readonly string[];
  readonly unused: readonly string[];
} {
  const all = new Set(names);
  const isUnused = (name: string): boolean =>
    name.endsWith(temporarySuffix) || (!isCompressed(name) && all.has(compressedName(name)));
  return { inUse: names.filter((name) => !isUnused(name)), unused: names.filter(isUnused) };
}

/**
 * Selects the files to remove before the next rotation, oldest first. With the log itself and its next rotated file,
 * `maxFiles` remain. Names sort by time.
 */
export function splitExcess(
  names: readonly string[],
  maxFiles: number,
): { readonly kept: readonly string[]; readonly excess: readonly string[] } {
  const sorted = [...names].sort();
  const excess = Math.max(0, sorted.length - Math.max(0, maxFiles - 2));
  return { excess: sorted.slice(0, excess), kept: sorted.slice(excess) };
}

/** `<log>.20060102-150405`, in the time zone of the process. */
export function rotatedName(log: string, atMs: number): string {
  const at = new Date(atMs);
  const two = (value: number): string => String(value).padStart(2, '0');
  const day = `${String(at.getFullYear()).padStart(4, '0')}${two(at.getMonth() + 1)}${two(at.getDate())}`;
  return `${log}.${day}-${two(at.getHours())}${two(at.getMinutes())}${two(at.getSeconds())}`;
}
