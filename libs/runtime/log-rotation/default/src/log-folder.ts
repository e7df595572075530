import { constants, type Stats } from 'node:fs';
import { link, lstat, open, readdir, rename, unlink, type FileHandle } from 'node:fs/promises';
import path from 'node:path';
import { KubeletError, messageOf } from '@podwright/errors';

// Linux's O_PATH, which Node does not name: a handle on the folder itself, for walking on.
const openPath = 0o10000000;
const folderOnly = openPath | constants.O_DIRECTORY | constants.O_NOFOLLOW;

/**
 * The open folder of a container's log. A pod that mounts the folder from the host can write here, so every step is taken from the
 * handle of the step before and follows no link: what the kubelet renames and removes is in this folder. Upstream follows links.
 */
export class LogFolder {
  private constructor(
    private readonly path: string,
    private readonly handle: FileHandle,
  ) {}

  /**
   * Of the log at `logPath`. Below `podLogsDir` no step may be a link; elsewhere, where a runtime keeps logs of somebody else, the
   * folder itself. Undefined when there is no such folder; rejects when it cannot be opened.
   */
  static async of(podLogsDir: string, logPath: string): Promise<LogFolder | undefined> {
    const folder = path.dirname(logPath);
    const below = path.relative(podLogsDir, folder);
    const isOurs = !path.isAbsolute(below) && below.split(path.sep)[0] !== '..';
    const steps = isOurs ? below.split(path.sep).filter((step) => step !== '') : [];
    let handle: FileHandle | undefined;
    try {
      handle = await open(isOurs ? podLogsDir : folder, isOurs ? openPath | constants.O_DIRECTORY : folderOnly);
      for (const step of steps) {
        const next = await open(entryOf(handle, step), folderOnly);
        await handle.close();
        handle = next;
      }
      return new LogFolder(folder, handle);
    } catch (error) {
      await handle?.close();
      if (isMissing(error)) return undefined;
      throw new KubeletError(`failed to open log folder ${JSON.stringify(folder)}: ${messageOf(error)}`, {
        code: 'failed-precondition',
        cause: error,
      });
    }
  }

  /** Where a file of that name is, for messages. */
  pathOf(name: string): string {
    return path.join(this.path, name);
  }

  names(): Promise<string[]> {
    return readdir(`/proc/self/fd/${this.handle.fd}`);
  }

  /** Undefined when there is no such entry. Of a link it is the link's own. */
  async stat(name: string): Promise<Stats | undefined> {
    return lstat(this.at(name)).catch((error: unknown) => {
      if (isMissing(error)) return undefined;
      throw error;
    });
  }

  /** A regular file for reading. */
  async openFile(name: string): Promise<FileHandle> {
    // A pipe would make the open wait for a writer.
    const file = await open(this.at(name), constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
    if ((await file.stat()).isFile()) return file;
    await file.close();
    throw new KubeletError(`${this.pathOf(name)} is no regular file`, { code: 'failed-precondition' });
  }

  /** A new file for writing with exactly this mode; rejects when the name is taken. */
  async createFile(name: string, mode: number): Promise<FileHandle> {
    const flags = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | constants.O_NOFOLLOW;
    const file = await open(this.at(name), flags, mode);
    await file.chmod(mode).catch(async (error: unknown) => {
      await file.close();
      throw error;
    });
    return file;
  }

  rename(from: string, to: string): Promise<void> {
    return rename(this.at(from), this.at(to));
  }

  /** Gives a file another name unless that is taken; false then. */
  async renameUnlessTaken(from: string, to: string): Promise<boolean> {
    try {
      await link(this.at(from), this.at(to));
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
      throw error;
    }
    await unlink(this.at(from));
    return true;
  }

  /** A missing one is fine. */
  async remove(name: string): Promise<void> {
    await unlink(this.at(name)).catch((error: unknown) => {
      if (!isMissing(error)) throw error;
    });
  }

  close(): Promise<void> {
    return this.handle.close();
  }

  private at(name: string): string {
    return entryOf(this.handle, name);
  }
}

/** The kernel goes from the open folder itself: Node has no openat. */
function entryOf(folder: FileHandle, name: string): string {
  return `/proc/self/fd/${folder.fd}/${name}`;
}

export function isMissing(error: unknown): boolean {
  return (error as NodeJS.ErrnoException).code === 'ENOENT';
}
