import { stat } from 'node:fs/promises';
import path from 'node:path';
import {
  DebouncedSignal,
  GrowingPause,
  type Clock,
  type DebounceTimes,
  type GrowingPauseOptions,
  type Timer,
} from '@podwright/time';
import { watchDirectory, type DirectoryEventKind, type WatchDirectory } from './watch-directory.js';

export interface DirectoryWatchDeps {
  readonly clock: Clock;
  /** Default: {@link watchDirectory}, which uses inotify. */
  readonly watchDirectory?: WatchDirectory;
}

export interface DirectoryWatchOptions {
  readonly directory: string;
  /** Names of entries; changes of other entries are ignored, except of the directory itself and of `..data`. */
  readonly only?: readonly string[];
  /** Called when the owner should read the directory again. It must call {@link DirectoryWatch.renew} first. */
  readonly onChange: () => void;
  /** Called with each single event at once, of whatever entry; nothing may be read in it. */
  readonly onEvent?: (name: string | undefined, kind: DirectoryEventKind) => void;
  /** Called when the directory cannot be watched; `retryMs` is the time until the next `onChange`. */
  readonly onLost: (error: unknown, retryMs: number | undefined) => void;
  /** Turns a burst of changes into one `onChange`. Default: one call for each change. */
  readonly settle?: DebounceTimes;
  /** The pauses between `onChange` calls while the directory cannot be watched. Default: the owner renews by itself. */
  readonly retry?: GrowingPauseOptions;
}

/**
 * Watches a path whose directory may appear, disappear or be replaced at any time. It calls `onChange` then, and the
 * owner renews the watch and reads the directory. A watch can miss changes (see {@link watchDirectory}), so the owner
 * should also read the directory periodically.
 */
export class DirectoryWatch {
  private readonly changes: DebouncedSignal | undefined;
  private watched: { readonly identity: string; readonly close: () => void } | undefined;
  private retryTimer: Timer | undefined;
  private readonly retryPause: GrowingPause | undefined;
  private closed = false;

  constructor(
    private readonly deps: DirectoryWatchDeps,
    private readonly options: DirectoryWatchOptions,
  ) {
    const { settle, retry, onChange } = options;
    this.retryPause = retry && new GrowingPause(retry);
    this.changes = settle && new DebouncedSignal(deps.clock, settle, onChange);
  }

  get directory(): string {
    return this.options.directory;
  }

  /** Whether the directory is being watched. */
  get watching(): boolean {
    return this.watched !== undefined;
  }

  /**
   * Watches the directory that the path leads to now. Call it before reading the directory, so as to miss no change.
   * Never rejects.
   */
  async renew(): Promise<void> {
    const { directory } = this.options;
    try {
      const { dev, ino, birthtimeNs } = await stat(directory, { bigint: true });
      // A file system may reuse the inode number of a removed directory, so the birth time is compared, too.
      const identity = `${dev}:${ino}@${birthtimeNs}`;
      if (this.closed || this.watched?.identity === identity) return;
      this.release();
      const watch = this.deps.watchDirectory ?? watchDirectory;
      const close = watch(
        directory,
        (name, kind = 'change') => {
          this.options.onEvent?.(name, kind);
          this.changed(name);
        },
        (error) => this.lose(error),
      );
      this.watched = { identity, close };
      this.retryPause?.reset();
    } catch (error) {
      this.lose(error);
    }
  }

  /** Drops the watch until the next {@link renew}. The owner calls it when it cannot read the directory. */
  lose(error: unknown): void {
    this.release();
    if (this.closed) return;
    const { onChange, onLost } = this.options;
    const retryMs = this.retryPause?.next();
    if (retryMs !== undefined) this.retryTimer = this.deps.clock.setTimer(retryMs, onChange);
    onLost(error, retryMs);
  }

  /** Closes the watch: no callback runs any more. May be called twice. */
  close(): void {
    this.closed = true;
    this.changes?.cancel();
    this.release();
  }

  private changed(name: string | undefined): void {
    const { directory, only } = this.options;
    // The files of a mounted Secret or ConfigMap are links through `..data`, and an update replaces `..data`.
    const meant = [undefined, path.basename(directory), '..data', ...(only ?? [])];
    if (only !== undefined && !meant.includes(name)) return;
    if (this.changes === undefined) this.options.onChange();
    else this.changes.touch();
  }

  private release(): void {
    this.retryTimer?.cancel();
    this.watched?.close();
    this.watched = undefined;
  }
}
