import { watch } from 'node:fs';

/**
 * Watches one directory. Calls `onChange` for each change, with the entry's name if known, and `onError` when the watch
 * fails. Returns close.
 */
export type WatchDirectory = (
  directory: string,
  onChange: (name: string | undefined) => void,
  onError: (error: unknown) => void,
) => () => void;

/**
 * Watches with Node's inotify the directory that has the path now. When that directory is moved or removed, it reports
 * the directory's own name and then nothing more. It misses changes when the kernel's event queue overflows. Throws
 * when the directory cannot be watched. {@link DirectoryWatch} renews it.
 */
export const watchDirectory: WatchDirectory = (directory, onChange, onError) => {
  // Not persistent: a watch must not keep the process alive.
  const watcher = watch(directory, { persistent: false });
  watcher.on('change', (_kind, name) => onChange(typeof name === 'string' ? name : undefined));
  watcher.on('error', onError);
  return () => watcher.close();
};
