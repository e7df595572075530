/** A rotated file of a log. */
export interface RotatedName {
  readonly name: string;
  /** The time of rotation, such as `20060102-150405`; it sorts the files. */
  readonly suffix: string;
}

const suffixForm = /^\.(\d{8}-\d{6})(\.gz)?$/;

/**
 * Picks the rotated files of a log from the names in its folder, oldest first. While a file is being packed, both its
 * forms exist; the plain one is picked.
 * Source: kubernetes v1.36 pkg/kubelet/logs/container_log_manager.go.
 */
export function rotatedNames(names: readonly string[], log: string): readonly RotatedName[] {
  const bySuffix = new Map<string, RotatedName>();
  for (const name of [...names].sort().reverse()) {
    if (!name.startsWith(log)) continue;
    const suffix = suffixForm.exec(name.slice(log.length))?.[1];
    // In reverse order the plain name comes after the packed one and replaces it.
    if (suffix !== undefined) bySuffix.set(suffix, { name, suffix });
  }
  return [...bySuffix.values()].sort((a, b) => (a.suffix < b.suffix ? -1 : 1));
}
