import { mapLimit } from '@podwright/concurrency';
import { isMissing } from '@podwright/errors';
import { localObjectKinds, localObjectPlurals } from '@podwright/local-objects-interface';
import type { LocalObject, LocalObjectKind } from '@podwright/local-objects-interface';
import type { Logger } from '@podwright/logging';
import { constants } from 'node:fs';
import { chmod, mkdir, open, readdir, readFile, rename, stat } from 'node:fs/promises';
import path from 'node:path';
import type { ObjectDisk } from './object-disk.js';
import { decodeObject } from './object-file-format.js';
import { kindOfFile, setAsideMark } from './object-file-name.js';
import { applyPending, decodePending, pendingName } from './pending-transaction.js';

const parallelReads = 16;
const privateMode = 0o700;
/** Errors that say something about the process or the machine, not about the file. */
const passing = new Set(['EMFILE', 'ENFILE', 'ENOMEM', 'EAGAIN', 'EINTR']);

export interface StoredObject {
  readonly kind: LocalObjectKind;
  readonly object: LocalObject;
  readonly bytes: number;
}

/**
 * Reads the objects that earlier processes have written. Makes the folders, finishes the transaction that counts but is
 * not done yet, and removes those that do not count. Files that cannot be used are set aside under another name; files
 * of others are left alone. Rejects when the folders cannot be made or read, and for want of memory or
 * file descriptors.
 */
export class ObjectDirectory {
  constructor(
    private readonly disk: ObjectDisk,
    private readonly logger: Logger,
    private readonly directory: string,
  ) {}

  async read(): Promise<{ readonly names: readonly string[]; readonly objects: readonly StoredObject[] }> {
    const folders = localObjectKinds.map((kind) => path.join(this.directory, localObjectPlurals[kind]));
    for (const folder of [this.directory, ...folders]) await makePrivate(folder);
    await this.finishPending();
    const objects: StoredObject[] = [];
    for (const kind of localObjectKinds) objects.push(...(await this.readKind(kind)));
    await this.removeStaged(this.directory);
    // What was written is not sure to be durable if the process was killed before its answer.
    for (const folder of [path.dirname(this.directory), this.directory, ...folders]) await this.disk.sync(folder);
    return { names: await readdir(this.directory), objects };
  }

  private async finishPending(): Promise<void> {
    const file = path.join(this.directory, pendingName);
    const text = await readFile(file, 'utf8').catch((error: unknown) => {
      if (isMissing(error)) return undefined;
      throw error;
    });
    if (text === undefined) return;
    let steps;
    try {
      steps = decodePending(text);
    } catch (error) {
      return this.setAside(file, error);
    }
    await applyPending(this.disk, this.directory, steps);
    this.logger.info('A transaction of local objects that an earlier process has begun is finished', {
      files: steps.length,
    });
  }

  private async readKind(kind: LocalObjectKind): Promise<readonly StoredObject[]> {
    const folder = path.join(this.directory, localObjectPlurals[kind]);
    const names = await this.removeStaged(folder);
    for (const name of names.filter((other) => kindOfFile(other) === 'foreign'))
      this.logger.warn('A file among the local objects is none of them and is left alone', { file: name, folder });
    const objects = await mapLimit(
      names.filter((name) => kindOfFile(name) === 'object'),
      parallelReads,
      (name) => this.readOne(kind, path.join(folder, name)),
    );
    return objects.filter((object) => object !== undefined);
  }

  /** Returns the names of what is left. */
  private async removeStaged(folder: string): Promise<readonly string[]> {
    const names = await readdir(folder);
    const staged = names.filter((name) => kindOfFile(name) === 'staged');
    await mapLimit(staged, parallelReads, (name) =>
      this.disk
        .remove(path.join(folder, name))
        .catch((error: unknown) =>
          this.logger.warn('What an earlier process has left cannot be removed', { file: name, folder, error }),
        ),
    );
    return names.filter((name) => !staged.includes(name));
  }

  private async readOne(kind: LocalObjectKind, file: string): Promise<StoredObject | undefined> {
    try {
      const text = await readRegularFile(file);
      const object = decodeObject(kind, path.basename(file), text);
      return { kind, object, bytes: Buffer.byteLength(text) };
    } catch (error) {
      if (passing.has((error as NodeJS.ErrnoException).code ?? '')) throw error;
      await this.setAside(file, error);
      return undefined;
    }
  }

  private async setAside(file: string, error: unknown): Promise<void> {
    this.logger.error('A file of local objects cannot be used and is set aside', {
      file,
      setAsideAs: path.basename(file) + setAsideMark,
      error,
    });
    await rename(file, file + setAsideMark).catch((failure: unknown) =>
      this.logger.warn('A file that cannot be used stays where it is', { file, error: failure }),
    );
  }
}

// Only when needed, because a disk that has become read-only refuses it.
async function makePrivate(folder: string): Promise<void> {
  await mkdir(folder, { recursive: true, mode: privateMode });
  const { mode } = await stat(folder);
  if ((mode & 0o777) !== privateMode) await chmod(folder, privateMode);
}

/** Follows no link: it would lead a read out of the directory. */
async function readRegularFile(file: string): Promise<string> {
  const handle = await open(file, constants.O_RDONLY | constants.O_NONBLOCK | constants.O_NOFOLLOW);
  try {
    if (!(await handle.stat()).isFile()) throw new Error('it is no regular file');
    return await handle.readFile('utf8');
  } finally {
    await handle.close();
  }
}
