/** A handler for `catch`: `fallback` for what {@link isAbsent}, anything else is thrown again. */
export function absentIs<T>(fallback: T): (error: unknown) => T {
  return (error) => {
    if (isAbsent(error)) return fallback;
    throw error;
  };
}

/** It is not there, or (ENODEV) it was removed between open and read. */
export function isAbsent(error: unknown): boolean {
  const { code } = error as NodeJS.ErrnoException;
  return code === 'ENOENT' || code === 'ENODEV';
}

/** The kernel says no because of who asks or where the hierarchy is mounted, not because of what is asked. */
export function isRefused(error: unknown): boolean {
  const { code } = error as NodeJS.ErrnoException;
  return code === 'EPERM' || code === 'EACCES' || code === 'EROFS';
}
