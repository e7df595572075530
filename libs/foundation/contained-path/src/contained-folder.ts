import { constants, type Stats } from 'node:fs';
import { link, lstat, mkdir, open, readdir, rename, unlink, type FileHandle } from 'node:fs/promises';
import path from 'node:path';
import { isMissing } from '@podwright/errors';
import { entryPath, handlePath, openPath } from './handle-path.js';
import { openRegularFile } from './regular-file.js';

const folderOnly = constants.O_DIRECTORY | constants.O_NOFOLLOW;

/** Turns an error that Node or this package has thrown for `path` into the one to reject with. */
export type ToError = (path: string, error: unknown) => unknown;

/**
 * An open folder that containers can write to. Every call starts from the folder's handle and follows no symbolic link,
 * so that it works on the entries of this folder even when its path now leads elsewhere.
 */
export class ContainedFolder {
  private constructor(
    /** The path at the time of `open`. Use it in messages only: it may lead elsewhere by now. */
    readonly path: string,
    private readonly handle: FileHandle,
    private readonly toError: ToError,
  ) {}

  /**
   * Opens the folder below `root` that `names` lead to. The path of `root` may contain symbolic links; a link or a file
   * among `names` rejects with Node's ENOTDIR. `toError` gets the path of the step that failed, and later the path of
   * the entry for which `stat` or `openFile` failed.
   */
  static async open(
    root: string,
    names: readonly string[],
    toError: ToError = (_path, error) => error,
  ): Promise<ContainedFolder> {
    let at = root;
    let handle: FileHandle | undefined;
    try {
      handle = await open(root, openPath | constants.O_DIRECTORY);
      for (const name of names) {
        at = path.join(at, name);
        const next = await open(entryPath(handle, name), openPath | folderOnly);
        await handle.close();
        handle = next;
      }
      return new ContainedFolder(at, handle, toError);
    } catch (error) {
      await handle?.close();
      throw toError(at, error);
    }
  }

  /** A path that leads to this folder as long as it is open, for a file watcher. */
  get handlePath(): string {
    return handlePath(this.handle);
  }

  /** The path of an entry. Use it in messages only, as {@link path}. */
  pathOf(name: string): string {
    return path.join(this.path, name);
  }

  names(): Promise<string[]> {
    return readdir(this.handlePath);
  }

  /** The status of an entry, for a symbolic link that of the link itself; undefined when there is no such entry. */
  async stat(name: string): Promise<Stats | undefined> {
    try {
      return await lstat(this.at(name));
    } catch (error) {
      if (isMissing(error)) return undefined;
      throw this.toError(this.pathOf(name), error);
    }
  }

  /** Opens a regular file for reading, as {@link openRegularFile}. */
  async openFile(name: string): Promise<FileHandle> {
    try {
      return await openRegularFile(this.at(name), this.pathOf(name));
    } catch (error) {
      throw this.toError(this.pathOf(name), error);
    }
  }

  /**
   * Creates a file with exactly this mode and opens it for writing; rejects with Node's EEXIST when the name exists.
   */
  async createFile(name: string, mode: number): Promise<FileHandle> {
    const flags = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | constants.O_NOFOLLOW;
    return withMode(await open(this.at(name), flags, mode), mode);
  }

  rename(from: string, to: string): Promise<void> {
    return rename(this.at(from), this.at(to));
  }

  /** Renames a file unless the new name exists; resolves to false when it does. */
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

  /** Removes a file; resolves also when there is none. */
  async remove(name: string): Promise<void> {
    await unlink(this.at(name)).catch((error: unknown) => {
      if (!isMissing(error)) throw error;
    });
  }

  close(): Promise<void> {
    return this.handle.close();
  }

  private at(name: string): string {
    return entryPath(this.handle, name);
  }
}

/**
 * Makes a folder with exactly this mode in an open one and opens it; rejects with Node's EEXIST when the name exists.
 */
export async function makeContainedFolder(parent: FileHandle, name: string, mode: number): Promise<FileHandle> {
  const entry = entryPath(parent, name);
  await mkdir(entry, { mode: mode & 0o777 });
  return withMode(await open(entry, constants.O_RDONLY | folderOnly), mode);
}

/** Sets the mode again, because creation applies the umask and drops setgid. */
async function withMode(handle: FileHandle, mode: number): Promise<FileHandle> {
  try {
    await handle.chmod(mode);
    return handle;
  } catch (error) {
    await handle.close();
    throw error;
  }
}
