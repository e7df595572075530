import { watch } from 'node:fs';
import path from 'node:path';

/** Tells when one file may have changed; `onError` when watching ended by itself. Returns close. */
export type WatchFile = (file: string, onChange: () => void, onError: (error: unknown) => void) => () => void;

/**
 * inotify on the file's directory, by way of Node: a new file is usually renamed into its place, and the one in a mounted
 * Secret or ConfigMap is a link through `..data`, which is replaced beside it. Throws when the directory cannot be watched.
 */
export const watchFile: WatchFile = (file, onChange, onError) => {
  const name = path.basename(file);
  // Not persistent: to watch is no reason to stay alive.
  const watcher = watch(path.dirname(file), { persistent: false });
  watcher.on('change', (_kind, changed) => {
    if (changed === null || changed === name || changed === '..data') onChange();
  });
  watcher.on('error', onError);
  return () => watcher.close();
};
