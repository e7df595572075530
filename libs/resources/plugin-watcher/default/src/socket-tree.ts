import { lstat, readdir, stat } from 'node:fs/promises';
import path from 'node:path';
import { serialize } from '@podwright/concurrency';
import { DirectoryWatch } from '@podwright/filesystem';
import type { Logger } from '@podwright/logging';
import type { Clock } from '@podwright/time';

export interface SocketTreeOptions {
  readonly directory: string;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly maxSockets: number;
  /** `identity` distinguishes the socket from a former one of the same name; undefined: the socket is gone. */
  readonly onChange: (socket: string, identity: string | undefined) => void;
}

// How often to read a folder that cannot be watched (no inotify watches left, or removed).
const retry = { firstMs: 10_000, longestMs: 10_000 };
// Deeper than any layout in use; limits the inotify watches that a tree of folders takes.
const maxDepth = 8;
const maxFolders = 256;

/**
 * Reports unix sockets that appear and disappear in a folder and its subfolders. Idle while nothing changes.
 * Source: kubernetes v1.36 pkg/kubelet/pluginmanager/pluginwatcher/plugin_watcher.go.
 */
export class SocketTree {
  private readonly watches = new Map<string, DirectoryWatch>();
  private readonly sockets = new Map<string, string>();
  private pending = false;
  private stopped = false;

  constructor(private readonly options: SocketTreeOptions) {}

  /** Whether every folder has a working inotify watch. */
  get watching(): boolean {
    return [...this.watches.values()].every(({ watching }) => watching);
  }

  /**
   * Scans the whole tree; concurrent calls run one after another. Calls `onChange` for each change since the last scan.
   */
  readonly scan = serialize(async (): Promise<void> => {
    this.pending = false;
    if (this.stopped) return;
    const found = new Map<string, string>();
    const { directory } = this.options;
    const parent = path.dirname(directory);
    const folders = new Set([parent]);
    // While a process listens at a socket that was in a removed folder, the kernel tells only the watch of its parent.
    await this.watchOf(parent, [path.basename(directory)]).renew();
    await this.walk(directory, 0, found, folders);
    if (this.stopped) return;
    for (const [folder, watch] of this.watches) {
      if (folders.has(folder)) continue;
      watch.close();
      this.watches.delete(folder);
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
    for (const watch of this.watches.values()) watch.close();
    this.watches.clear();
  }

  private async walk(folder: string, depth: number, found: Map<string, string>, folders: Set<string>): Promise<void> {
    if (this.stopped) return;
    folders.add(folder);
    const watch = this.watchOf(folder);
    await watch.renew();
    const names = await readdir(folder).catch((error: unknown) => {
      if (depth === 0 && watch.watching) watch.lose(error);
      return [];
    });
    for (const name of names) {
      if (name.startsWith('.')) continue;
      const entry = path.join(folder, name);
      // Gone since it was listed: the watch reports that.
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
        this.options.logger.warn('More plugin sockets than are watched, passed over', { socket: entry });
        continue;
      }
      // File systems reuse the inode number of a removed file, so the birth time is part of the identity.
      found.set(entry, `${file.ino}@${file.birthtimeNs}`);
    }
  }

  private watchOf(folder: string, only?: readonly string[]): DirectoryWatch {
    const { clock, logger } = this.options;
    const known = this.watches.get(folder);
    if (known !== undefined) return known;
    const watch = new DirectoryWatch(
      { clock },
      {
        ...{ directory: folder, retry, ...(only && { only }) },
        onChange: () => this.noticed(),
        onLost: (error) =>
          logger.warn('Plugin folder cannot be watched, it is read again from time to time', { folder, error }),
      },
    );
    this.watches.set(folder, watch);
    return watch;
  }

  // A burst of changes causes one scan.
  private noticed(): void {
    if (this.pending || this.stopped) return;
    this.pending = true;
    void this.scan();
  }
}
