import { constants } from 'node:fs';
import { open, readdir, rmdir, unlink, type FileHandle } from 'node:fs/promises';
import { join } from 'node:path';
import { handlePath } from '@podwright/contained-path';
import { isMissing, KubeletError } from '@podwright/errors';

export interface RemoveOptions {
  /** Remove only directories; a file anywhere in the tree is an error. Default false. */
  readonly directoriesOnly?: boolean;
}

/**
 * Removes a tree, but does not follow links, and refuses mount points, because a mount may contain data of others.
 * Continues after an error and rejects with the first. A missing tree is no error. Containers have made what is in a
 * tree, so any name and any depth can be removed.
 * Source: kubernetes v1.36 pkg/util/removeall.
 */
export async function removeOneFileSystem(path: string, options: RemoveOptions = {}): Promise<void> {
  const entry: Entry = { path: Buffer.from(path), shownAs: () => path };
  const { directoriesOnly = false } = options;
  const kind = await removeSimple(entry, directoriesOnly);
  if (kind === 'gone') return;
  const walk = new Walk(await open(path, folderOnly), path);
  try {
    await removeContent(walk, directoriesOnly);
  } finally {
    await walk.close();
  }
  await removeEmpty(entry);
}

interface Entry {
  readonly path: Buffer;
  readonly shownAs: () => string;
}

const folderOnly = constants.O_RDONLY | constants.O_DIRECTORY | constants.O_NOFOLLOW;

async function removeContent(walk: Walk, directoriesOnly: boolean): Promise<void> {
  let first: { readonly error: unknown } | undefined;
  for (const name of await walk.names()) {
    try {
      if ((await removeSimple(walk.entry(name), directoriesOnly)) === 'gone') continue;
      await walk.enter(name);
      try {
        await removeContent(walk, directoriesOnly);
      } finally {
        await walk.leave();
      }
      await removeEmpty(walk.entry(name));
    } catch (error) {
      first ??= { error };
      if (walk.isLost) throw error;
    }
  }
  if (first !== undefined) throw first.error;
}

/** Removes an empty directory, or something else; tells when it is a directory with content. */
async function removeSimple(entry: Entry, directoriesOnly: boolean): Promise<'gone' | 'full'> {
  try {
    await removeEmpty(entry);
    return 'gone';
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOTEMPTY' || code === 'EEXIST') return 'full';
    if (code !== 'ENOTDIR') throw error;
  }
  if (directoriesOnly)
    throw new KubeletError(`cannot delete ${entry.shownAs()}: it is no directory`, { code: 'failed-precondition' });
  await missingIsFine(unlink(entry.path));
  return 'gone';
}

/** The kernel answers EBUSY for a mount point, bind mounts included, whatever is in it. */
async function removeEmpty({ path, shownAs }: Entry): Promise<void> {
  await missingIsFine(rmdir(path)).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'EBUSY') throw error;
    const message = `cannot delete directory ${shownAs()}: it is a mount point`;
    throw new KubeletError(message, { code: 'failed-precondition', cause: error });
  });
}

/**
 * The directory that a walk through a tree is in. Holds one descriptor at any depth: paths have a longest length, and so
 * has the list of descriptors.
 */
class Walk {
  /** True when somebody moved a directory while it was removed: nobody knows where its parent is. */
  isLost = false;
  private readonly above: { readonly identity: string; readonly name: Buffer }[] = [];

  constructor(
    private handle: FileHandle,
    private readonly root: string,
  ) {}

  names(): Promise<readonly Buffer[]> {
    return readdir(handlePath(this.handle), { encoding: 'buffer' });
  }

  entry(name: Buffer): Entry {
    const path = Buffer.concat([Buffer.from(`${handlePath(this.handle)}/`), name]);
    return {
      path,
      shownAs: () => join(this.root, ...this.above.map((level) => level.name.toString()), name.toString()),
    };
  }

  async enter(name: Buffer): Promise<void> {
    const identity = await identityOf(this.handle);
    const next = await open(this.entry(name).path, folderOnly);
    await this.handle.close();
    this.handle = next;
    this.above.push({ identity, name });
  }

  async leave(): Promise<void> {
    this.isLost = true;
    const parent = await open(this.entry(Buffer.from('..')).path, folderOnly);
    await this.handle.close();
    this.handle = parent;
    if (this.above.pop()?.identity !== (await identityOf(parent))) {
      throw new KubeletError(`${this.root} has changed while it was removed`, { code: 'failed-precondition' });
    }
    this.isLost = false;
  }

  close(): Promise<void> {
    return this.handle.close();
  }
}

async function identityOf(handle: FileHandle): Promise<string> {
  const { dev, ino } = await handle.stat({ bigint: true });
  return `${dev}:${ino}`;
}

async function missingIsFine<T>(work: Promise<T>): Promise<T | undefined> {
  try {
    return await work;
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw error;
  }
}
