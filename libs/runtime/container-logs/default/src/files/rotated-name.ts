/** A file that was a log's current one. */
export interface RotatedName {
  readonly name: string;
  /** `20060102-150405`, which orders them. */
  readonly suffix: string;
}

const suffixForm = /^\.(\d{8}-\d{6})(\.gz)?$/;

/**
 * The rotated files of a log among the names of its folder, oldest first. While one is being packed both forms are there; the
 * plain one counts then.
 * Source: kubernetes v1.36 pkg/kubelet/logs/container_log_manager.go.
 */
export function rotatedNames(names: readonly string[], log: string): readonly RotatedName[] {
  const bySuffix = new Map<string, RotatedName>();
  for (const name of [...names].sort().reverse()) {
    if (!name.startsWith(log)) continue;
    const suffix = suffixForm.exec(name.slice(log.length))?.[1];
    // Reversed, the plain name comes after the packed one and takes its place.
    if (suffix !== undefined) bySuffix.set(suffix, { name, suffix });
  }
  return [...bySuffix.values()].sort((a, b) => (a.suffix < b.suffix ? -1 : 1));
}
