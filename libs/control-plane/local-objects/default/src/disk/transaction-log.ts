import { mapLimit } from '@podwright/concurrency';
import { errnoWords, KubeletError } from '@podwright/errors';
import type { Logger } from '@podwright/logging';
import path from 'node:path';
import { stagedName } from './object-file-name.js';
import type { ObjectDisk } from './object-disk.js';
import { applyPending, applyStep, foldersOf, removePending, writePending } from './pending-transaction.js';
import type { FileStep } from './pending-transaction.js';
import type { VersionFile } from './version-file.js';

/** What a transaction makes of one file. Texts are whole contents; undefined: there is no file. */
export interface FileChange {
  /** Path below the directory. */
  readonly file: string;
  readonly before: () => string | undefined;
  readonly after: string | undefined;
}

export interface TransactionLogDeps {
  readonly disk: ObjectDisk;
  readonly versions: VersionFile;
  readonly logger: Logger;
}

const parallelWrites = 16;

/**
 * Changes files so that a transaction is on disk as a whole or not at all, whenever the process or the machine stops:
 * new contents are first written beside the files. One file then takes its place by a rename. Several do so after
 * their list has become the redo log. What takes space comes before the moment from which the transaction counts, so a
 * full disk changes nothing. One commit at a time.
 */
export class TransactionLog {
  /** What an earlier commit has left to do because of a disk that failed. It comes before any other commit. */
  private unsettled: (() => Promise<void>) | undefined;

  constructor(
    private readonly deps: TransactionLogDeps,
    private readonly directory: string,
  ) {}

  /** Rejects with `unavailable` when the disk refuses; then nothing has changed. `version`: the transaction's last; without changes, it is only reserved. */
  async commit(version: number, changes: readonly FileChange[]): Promise<void> {
    try {
      await this.unsettled?.();
      this.unsettled = undefined;
      await this.deps.versions.reserve(version);
      if (changes.length === 0) return;
      const steps = await this.stage(version, changes);
      const [only] = changes;
      if (changes.length === 1 && only !== undefined) await this.commitOne(only, steps);
      else await this.commitMany(steps);
    } catch (error) {
      throw new KubeletError(`the disk refuses to write: ${errnoWords(error)}`, { code: 'unavailable', cause: error });
    }
  }

  private async stage(version: number, changes: readonly FileChange[]): Promise<readonly FileStep[]> {
    const { disk } = this.deps;
    const steps = changes.map(({ file, after }): FileStep => {
      if (after === undefined) return { file };
      return { file, staged: path.join(path.dirname(file), stagedName(path.basename(file), version)) };
    });
    await this.orUnstage(steps, () =>
      mapLimit(steps, parallelWrites, async ({ staged }, index) => {
        const text = changes[index]?.after;
        if (staged !== undefined && text !== undefined) await disk.write(path.join(this.directory, staged), text);
      }),
    );
    return steps;
  }

  private async commitOne(change: FileChange, steps: readonly FileStep[]): Promise<void> {
    const { disk } = this.deps;
    const [step = { file: change.file }] = steps;
    await this.orUnstage(steps, () => applyStep(disk, this.directory, step));
    await this.orUndo(
      () => this.syncFolders(steps),
      () => this.restore(change),
    );
  }

  private async commitMany(steps: readonly FileStep[]): Promise<void> {
    const { disk, logger } = this.deps;
    const { directory } = this;
    await this.orUnstage(steps, () => this.syncFolders(steps));
    await this.orUnstage(steps, () => writePending(disk, directory, steps));
    await this.orUndo(
      () => disk.sync(directory),
      () => removePending(disk, directory),
    );
    // From here on the transaction counts: what fails now is done later, by the next commit or the next process.
    await applyPending(disk, directory, steps).catch((error: unknown) => {
      logger.error('A transaction is safe, but not applied to the files of its objects yet', { directory, error });
      this.unsettled = () => applyPending(disk, directory, steps);
    });
  }

  private async syncFolders(steps: readonly FileStep[]): Promise<void> {
    for (const folder of foldersOf(steps)) await this.deps.disk.sync(path.join(this.directory, folder));
  }

  private async restore({ file, before }: FileChange): Promise<void> {
    const { disk } = this.deps;
    const text = before();
    const target = path.join(this.directory, file);
    const staged = path.join(path.dirname(target), stagedName(path.basename(file), 0));
    if (text === undefined) await disk.remove(target);
    else await disk.write(staged, text).then(() => disk.rename(staged, target));
    await disk.sync(path.dirname(target));
  }

  /** The next start removes what cannot be removed now. */
  private async orUnstage(steps: readonly FileStep[], run: () => Promise<unknown>): Promise<void> {
    try {
      await run();
    } catch (error) {
      const staged = steps.flatMap((step) => step.staged ?? []);
      await mapLimit(staged, parallelWrites, (file) => this.deps.disk.remove(path.join(this.directory, file))).catch(
        (failure: unknown) => this.deps.logger.warn('Files of a failed transaction stay', { staged, error: failure }),
      );
      throw error;
    }
  }

  /** The disk shows the change already, but it may not be durable: it must not stay. */
  private async orUndo(run: () => Promise<void>, undo: () => Promise<void>): Promise<void> {
    try {
      await run();
    } catch (error) {
      this.unsettled = undo;
      await undo().then(
        () => (this.unsettled = undefined),
        (failure: unknown) =>
          this.deps.logger.error('A failed transaction cannot be taken back yet; no other one is possible until then', {
            directory: this.directory,
            error: failure,
          }),
      );
      throw error;
    }
  }
}
