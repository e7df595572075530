import { syncDirectory, temporaryPrefix, writeFileAtomically } from '@podwright/checkpoint';
import { mapLimit } from '@podwright/concurrency';
import type { Logger } from '@podwright/logging';
import type { OfflineCopy, OfflineRef } from '@podwright/offline-objects-interface';
import type { Random } from '@podwright/time';
import { chmod, mkdir, readdir, readFile, rename, rm } from 'node:fs/promises';
import path from 'node:path';
import { readOrCreateKey } from './offline-key.js';
import { nonceBytes, seal, sealedFileName, unseal, type SealedText } from './sealed-file.js';

const parallelReads = 16;
const privateMode = 0o700;
const keyName = 'key';

export interface SavedFile {
  readonly copy: OfflineCopy;
  readonly bytes: number;
}

/** The directory of the sealed files: one per object, named by a hash, with mode 0600. */
export class SavedFiles {
  private key: Buffer | undefined;

  constructor(
    private readonly options: { readonly directory: string; readonly keyFile: string },
    private readonly deps: { readonly logger: Logger; readonly random: Random },
  ) {}

  /** Reads the files of earlier processes. Rejects when the directory or the key cannot be used. */
  async open(): Promise<readonly SavedFile[]> {
    const { directory, keyFile } = this.options;
    await mkdir(directory, { recursive: true, mode: privateMode });
    await chmod(directory, privateMode);
    const names = await readdir(directory);
    for (const name of names.filter((each) => each.startsWith(temporaryPrefix))) {
      await rm(path.join(directory, name), { force: true, recursive: true });
    }
    const saved = names.filter((name) => /^[0-9a-f]{64}$/.test(name));
    const file = keyFile === '' ? path.join(directory, keyName) : keyFile;
    this.key = await readOrCreateKey(file, saved.length > 0, this.deps);
    const found = await mapLimit(saved, parallelReads, (name) => this.readNamed(name));
    return found.filter((each) => each !== undefined);
  }

  /** Undefined for a file that is missing or damaged; that is logged, and a damaged one set aside. */
  async read(ref: OfflineRef): Promise<OfflineCopy | undefined> {
    return (await this.readNamed(sealedFileName(ref)))?.copy;
  }

  /** Replaces the file, durably. Resolves with its size. */
  async write(text: SealedText): Promise<number> {
    if (this.key === undefined) throw new Error('the files are not open');
    const nonce = Buffer.from(this.deps.random.hex(nonceBytes), 'hex');
    const sealed = seal({ key: this.key, nonce }, text);
    await writeFileAtomically(this.pathOf(sealedFileName(text.ref)), sealed);
    return sealed.length;
  }

  /** Removes the file, durably. */
  async remove(ref: OfflineRef): Promise<void> {
    await rm(this.pathOf(sealedFileName(ref)), { force: true });
    await syncDirectory(this.options.directory);
  }

  private async readNamed(name: string): Promise<SavedFile | undefined> {
    const file = this.pathOf(name);
    try {
      if (this.key === undefined) throw new Error('the files are not open');
      const content = await readFile(file);
      return { copy: unseal(this.key, name, content), bytes: content.length };
    } catch (error) {
      this.deps.logger.error('A saved object cannot be read and is set aside; its pod waits for the API server', {
        file,
        error,
      });
      await rename(file, this.pathOf(`${temporaryPrefix}broken-${name}`)).catch((failure: unknown) =>
        this.deps.logger.warn('A broken file stays where it is', { file, error: failure }),
      );
      return undefined;
    }
  }

  private pathOf(name: string): string {
    return path.join(this.options.directory, name);
  }
}
