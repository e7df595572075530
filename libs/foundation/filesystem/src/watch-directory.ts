import { watch } from 'node:fs';

/** `rename`: an entry was created, removed, or moved from or to its name. `change`: its content or mode has changed. */
export type DirectoryEventKind = 'rename' | 'change';

/**
 * Watches one directory. Calls `onChange` for each change, with the entry's name if known, and `onError` when the watch
 * fails. Returns close.
 */
export type WatchDirectory = (
  directory: string,
  onChange: (name: string | undefined, kind?: DirectoryEventKind) => void,
  onError: (error: unknown) => void,
) => () => void;

/**
 * Watches with Node's inotify the directory that has the path now. When that directory is moved or removed, it reports
 * the directory's own name and then nothing more. It hears of a removal only when no process uses the directory any
 * more, by working in it or by listening at a socket that was in it. It misses changes when the kernel's event queue
 * overflows. Throws when the directory cannot be watched. {@link DirectoryWatch} renews it.
 */
export const watchDirectory: WatchDirectory = (directory, onChange, onError) => {
  // Not persistent: a watch must not keep the process alive.
  const watcher = watch(directory, { persistent: false });
  watcher.on('change', (kind, name) =>
    onChange(typeof name === 'string' ? name : undefined, kind === 'rename' ? 'rename' : 'change'),
  );
  watcher.on('error', onError);
  return () => watcher.close();
};
