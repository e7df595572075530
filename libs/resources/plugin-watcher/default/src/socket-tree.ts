import { watch, type FSWatcher } from 'node:fs';
import { lstat, readdir, stat } from 'node:fs/promises';
import path from 'node:path';
import { serialize } from '@podwright/concurrency';
import type { Logger } from '@podwright/logging';
import type { Clock, Timer } from '@podwright/time';

export interface SocketTreeOptions {
  readonly directory: string;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly maxSockets: number;
  /** A socket that is there, with what tells it from a former one of the same name; undefined: it is gone. */
  readonly onChange: (socket: string, identity: string | undefined) => void;
}

// A folder that cannot be watched (no inotify watches left, removed and made anew) is read from time to time instead.
const rescanPeriodMs = 10_000;
// Deeper than any layout in use; a tree of folders must not use up the watches of the machine.
const maxDepth = 8;
const maxFolders = 256;

/**
 * Unix sockets in a folder and the folders below it, as they come and go. Nothing runs while nothing changes.
 * Source: kubernetes v1.36 pkg/kubelet/pluginmanager/pluginwatcher/plugin_watcher.go.
 */
export class SocketTree {
  private readonly watchers = new Map<string, FSWatcher>();
  private readonly sockets = new Map<string, string>();
  private rescanTimer: Timer | undefined;
  private pending = false;
  private stopped = false;

  constructor(private readonly options: SocketTreeOptions) {}

  /** Whether each folder tells of its changes by itself. */
  get watching(): boolean {
    return this.rescanTimer === undefined;
  }

  /** One look at everything; concurrent calls run one after another. Calls `onChange` for each difference to the last look. */
  readonly scan = serialize(async (): Promise<void> => {
    this.pending = false;
    if (this.stopped) return;
    this.rescanTimer?.cancel();
    this.rescanTimer = undefined;
    const found = new Map<string, string>();
    const folders = new Set<string>();
    await this.walk(this.options.directory, 0, found, folders);
    if (this.stopped) return;
    for (const [folder, watcher] of this.watchers) {
      if (folders.has(folder)) continue;
      watcher.close();
      this.watchers.delete(folder);
    }
    for (const socket of [...this.sockets.keys()]) {
      if (found.has(socket)) continue;
      this.sockets.delete(socket);
      this.options.onChange(socket, undefined);
    }
    for (const [socket, identity] of found) {
      if (this.sockets.get(socket) === identity) continue;
      this.sockets.set(socket, identity);
      this.options.onChange(socket, identity);
    }
  });

  stop(): void {
    this.stopped = true;
    this.rescanTimer?.cancel();
    for (const watcher of this.watchers.values()) watcher.close();
    this.watchers.clear();
  }

  private async walk(folder: string, depth: number, found: Map<string, string>, folders: Set<string>): Promise<void> {
    folders.add(folder);
    // Before it is read: what comes in between is told.
    this.watch(folder);
    const names = await readdir(folder).catch((error: unknown) => {
      if (depth === 0) this.unwatched('Plugin folder cannot be read', folder, error);
      return [];
    });
    for (const name of names) {
      if (name.startsWith('.')) continue;
      const entry = path.join(folder, name);
      // Gone since the list: the watch tells.
      const link = await lstat(entry).catch(() => undefined);
      if (link === undefined) continue;
      if (link.isDirectory()) {
        if (depth < maxDepth && folders.size < maxFolders) await this.walk(entry, depth + 1, found, folders);
        else this.options.logger.warn('Folder of plugins is too deep or one too many, passed over', { folder: entry });
        continue;
      }
      const file = await stat(entry, { bigint: true }).catch(() => undefined);
      if (file === undefined || !file.isSocket()) continue;
      if (found.size >= this.options.maxSockets) {
        this.options.logger.warn('More plugin sockets than are looked at, passed over', { socket: entry });
        continue;
      }
      // File systems give the number of a removed file to the next one.
      found.set(entry, `${file.ino}@${file.birthtimeNs}`);
    }
  }

  private watch(folder: string): void {
    if (this.watchers.has(folder)) return;
    const lost = (error: unknown): void => {
      this.watchers.get(folder)?.close();
      this.watchers.delete(folder);
      this.unwatched('Plugin folder cannot be watched', folder, error);
    };
    try {
      // Not persistent: to watch is no reason to stay alive.
      const watcher = watch(folder, { persistent: false });
      watcher.on('change', () => this.noticed());
      watcher.on('error', lost);
      this.watchers.set(folder, watcher);
    } catch (error) {
      lost(error);
    }
  }

  // A burst of changes is one look.
  private noticed(): void {
    if (this.pending || this.stopped) return;
    this.pending = true;
    void this.scan();
  }

  private unwatched(message: string, folder: string, error: unknown): void {
    if (this.stopped) return;
    this.options.logger.warn(`${message}, it is read again from time to time`, { folder, error });
    this.rescanTimer ??= this.options.clock.setTimer(rescanPeriodMs, () => this.noticed());
  }
}
