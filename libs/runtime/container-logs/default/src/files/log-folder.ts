import { constants } from 'node:fs';
import type { Stats } from 'node:fs';
import { lstat, open, readdir } from 'node:fs/promises';
import type { FileHandle } from 'node:fs/promises';
import { join } from 'node:path';
import { openError, refused } from './log-error.js';

// Linux's O_PATH, which Node does not name: a handle on the folder itself, for walking on.
const openPath = 0o10000000;
const folderOnly = constants.O_DIRECTORY | constants.O_NOFOLLOW;

/**
 * An open folder of logs. Pods that mount the folder from the host can write here, so every step is taken from the handle of the
 * step before and follows no link, and what is not a regular file is not read. Upstream follows links.
 */
export class LogFolder {
  private constructor(
    /** For messages; by now it may lead elsewhere. */
    readonly path: string,
    private readonly handle: FileHandle,
  ) {}

  /** `root` may be reached through links, `names` below it not. Rejects with `not-found` or `failed-precondition`. */
  static async open(root: string, names: readonly string[]): Promise<LogFolder> {
    let path = root;
    let handle = await open(root, openPath | constants.O_DIRECTORY).catch((error: unknown) => {
      throw openError(root, error);
    });
    for (const name of names) {
      path = join(path, name);
      try {
        const next = await open(below(handle, name), openPath | folderOnly);
        await handle.close();
        handle = next;
      } catch (error) {
        await handle.close();
        throw openError(path, error);
      }
    }
    return new LogFolder(path, handle);
  }

  /** Of the folder itself, for a watch. */
  get handlePath(): string {
    return `/proc/self/fd/${this.handle.fd}`;
  }

  names(): Promise<string[]> {
    return readdir(this.handlePath);
  }

  /** Undefined when there is no such entry. */
  async stat(name: string): Promise<Stats | undefined> {
    try {
      return await lstat(below(this.handle, name));
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
      throw openError(join(this.path, name), error);
    }
  }

  /** A regular file for reading. Rejects with `not-found` or `failed-precondition`. */
  async openFile(name: string): Promise<FileHandle> {
    const path = join(this.path, name);
    // A pipe would make the open wait for a writer.
    const flags = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;
    const file = await open(below(this.handle, name), flags).catch((error: unknown) => {
      throw openError(path, error);
    });
    const stats = await file.stat();
    if (stats.isFile()) return file;
    await file.close();
    throw refused(path, 'it is no regular file');
  }

  close(): Promise<void> {
    return this.handle.close();
  }
}

/** The kernel goes from the open folder itself: Node has no openat. */
function below(folder: FileHandle, name: string): string {
  return `/proc/self/fd/${folder.fd}/${name}`;
}
