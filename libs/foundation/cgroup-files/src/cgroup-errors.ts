/** A handler for `catch`: returns `fallback` when {@link isAbsent}, and rethrows all other errors. */
export function absentIs<T>(fallback: T): (error: unknown) => T {
  return (error) => {
    if (isAbsent(error)) return fallback;
    throw error;
  };
}

/** True when the file does not exist, or (ENODEV) its cgroup was removed between open and read. */
export function isAbsent(error: unknown): boolean {
  const { code } = error as NodeJS.ErrnoException;
  return code === 'ENOENT' || code === 'ENODEV';
}

/** True when the kernel denies access (missing privileges or a read-only mount), whatever the value written. */
export function isRefused(error: unknown): boolean {
  const { code } = error as NodeJS.ErrnoException;
  return code === 'EPERM' || code === 'EACCES' || code === 'EROFS';
}
