import { readdir, readFile, rm } from 'node:fs/promises';
import path from 'node:path';
import { Mutex } from '@podwright/concurrency';
import { isMissing, KubeletError, messageOf } from '@podwright/errors';
import { removeFailedWrites, temporaryPrefix, writeFileAtomically } from './atomic-file.js';
import { decodeCheckpoint, encodeCheckpoint } from './checkpoint-format.js';
import type { CheckpointFormat } from './checkpoint-format.js';
import { removeTemporaryFiles } from './remove-leftovers.js';

/**
 * Named checkpoints in one directory. Writes and removals run one after another, so the last call wins. A power cut may
 * undo the last of them, as in upstream's store: it ended the containers, too. Errors:
 * `not-found` for a missing checkpoint, `data-loss` for a corrupt one, `invalid-argument` for a name that is not
 * allowed. Source: kubernetes v1.36 pkg/kubelet/checkpointmanager, pkg/kubelet/util/store.
 */
export interface CheckpointStore {
  read(name: string): Promise<string>;
  write(name: string, content: string): Promise<void>;
  readChecked<T extends object>(name: string, format: CheckpointFormat): Promise<T>;
  writeChecked(name: string, value: object, format: CheckpointFormat): Promise<void>;
  /** Removes a checkpoint; a missing one is no error. */
  remove(name: string): Promise<void>;
  /** The names of all checkpoints, sorted, without temporary files; empty when the directory is missing. */
  list(): Promise<readonly string[]>;
  /**
   * Removes temporary files that a killed process left: all, or those of the checkpoint `name`, where others write to the
   * directory too. Call it before the first write.
   */
  removeLeftovers(name?: string): Promise<void>;
}

/** Makes a store in a directory; the first write makes a missing directory. */
export function createCheckpointStore(directory: string): CheckpointStore {
  return new FileCheckpointStore(directory);
}

// As upstream's store: a name must not leave the directory or look like a temporary file.
const validName = /^[A-Za-z0-9]([-A-Za-z0-9_.]{0,248}[A-Za-z0-9])?$/;

class FileCheckpointStore implements CheckpointStore {
  private readonly mutex = new Mutex();

  constructor(private readonly directory: string) {}

  async read(name: string): Promise<string> {
    const file = this.fileOf(name);
    try {
      return await readFile(file, 'utf8');
    } catch (error) {
      const missing = isMissing(error);
      throw new KubeletError(
        missing ? `checkpoint ${file} is not found` : `checkpoint ${file} cannot be read: ${messageOf(error)}`,
        {
          code: missing ? 'not-found' : 'unavailable',
          cause: error,
        },
      );
    }
  }

  async write(name: string, content: string): Promise<void> {
    const file = this.fileOf(name);
    await this.mutex.run(() => writeFileAtomically(file, content, { durable: 'old-or-new' }));
  }

  async readChecked<T extends object>(name: string, format: CheckpointFormat): Promise<T> {
    return decodeCheckpoint<T>(await this.read(name), format, this.fileOf(name));
  }

  async writeChecked(name: string, value: object, format: CheckpointFormat): Promise<void> {
    await this.write(name, encodeCheckpoint(value, format));
  }

  async remove(name: string): Promise<void> {
    const file = this.fileOf(name);
    await this.mutex.run(async () => {
      try {
        await rm(file);
      } catch (error) {
        if (isMissing(error)) return;
        throw error;
      }
      await removeFailedWrites(this.directory);
    });
  }

  async list(): Promise<readonly string[]> {
    try {
      const entries = await readdir(this.directory, { withFileTypes: true });
      const files = entries.filter((entry) => entry.isFile() && !entry.name.startsWith(temporaryPrefix));
      return files.map(({ name }) => name).sort();
    } catch (error) {
      if (isMissing(error)) return [];
      throw error;
    }
  }

  async removeLeftovers(name?: string): Promise<void> {
    await this.mutex.run(() => removeTemporaryFiles(this.directory, name));
  }

  private fileOf(name: string): string {
    if (validName.test(name)) return path.join(this.directory, name);
    throw new KubeletError(`invalid checkpoint name ${JSON.stringify(name)}`, { code: 'invalid-argument' });
  }
}
