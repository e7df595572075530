import { watch } from 'node:fs';

/** Tells of changes in one directory: `onChange` with the name of the entry when it is known. Returns close. */
export type WatchDirectory = (
  path: string,
  onChange: (name: string | undefined) => void,
  onError: (error: unknown) => void,
) => () => void;

/** inotify by way of Node. Throws when the directory cannot be watched. */
export const watchDirectory: WatchDirectory = (path, onChange, onError) => {
  // Not persistent: a source of pods does not keep the process alive.
  const watcher = watch(path, { persistent: false, recursive: false });
  watcher.on('change', (_kind, name) => onChange(typeof name === 'string' ? name : undefined));
  watcher.on('error', onError);
  return () => watcher.close();
};
