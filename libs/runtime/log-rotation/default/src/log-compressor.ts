import { Gate, KeyedLanes } from '@podwright/concurrency';
import type { ContainedFolder } from '@podwright/contained-path';
import { isMissing, KubeletError } from '@podwright/errors';
import type { Logger } from '@podwright/logging';
import { linkSignals, type LinkedSignal } from '@podwright/time';
import { compressLog } from './compress-log.js';
import { openLogFolder } from './log-folder.js';

/** Files of one log, compressed one after the other. */
interface Batch {
  /** Names that will be removed; their compression does not start any more. */
  readonly removed: Set<string>;
  current?: { readonly name: string; readonly ending: Pick<LinkedSignal, 'abort'>; readonly done: Promise<void> };
}

/**
 * Compresses rotated logs apart from the rotation, which must not wait: a busy container would outgrow its limit
 * meanwhile. It compresses one file of each log at a time, and `workers` files in total.
 */
export class LogCompressor {
  private readonly places: Gate;
  private readonly lanes: KeyedLanes<string, readonly string[]>;
  private readonly batches = new Map<string, Batch>();

  constructor(
    private readonly podLogsDir: string,
    workers: number,
    private readonly logger: Logger,
  ) {
    this.places = new Gate({ places: workers });
    this.lanes = new KeyedLanes({
      run: (logPath, names, signal) => this.compressAll(logPath, names, signal),
      onError: (logPath, error) => this.logger.error('Failed to compress rotated logs', { path: logPath, error }),
    });
  }

  /** Queues the rotated files of a log; replaces those of the log that still wait. */
  submit(logPath: string, names: readonly string[]): void {
    if (names.length > 0) this.lanes.submit(logPath, names);
  }

  /** The file of the log that is being compressed. */
  current(logPath: string): string | undefined {
    return this.batches.get(logPath)?.current?.name;
  }

  /**
   * Resolves when these files are no longer touched, so that the caller can remove them. A compression that could not
   * be cancelled in time may have produced its `.gz` file. Files of the log that still wait are dropped until the next
   * `submit`.
   */
  async leave(logPath: string, names: readonly string[]): Promise<void> {
    this.lanes.cancelPending(logPath);
    const batch = this.batches.get(logPath);
    if (batch === undefined) return;
    for (const name of names) batch.removed.add(name);
    const { current } = batch;
    if (current === undefined || !batch.removed.has(current.name)) return;
    current.ending.abort(cancelled());
    await current.done;
  }

  /** Cancels the compression of a log and drops its waiting files. Resolves when nothing runs any more. */
  async drop(logPath: string): Promise<void> {
    this.lanes.cancelPending(logPath);
    this.batches.get(logPath)?.current?.ending.abort(cancelled());
    await this.lanes.whenIdle(logPath);
  }

  /** For one log, or for all. */
  whenIdle(logPath?: string): Promise<void> {
    return this.lanes.whenIdle(logPath);
  }

  stop(): Promise<void> {
    return this.lanes.stop();
  }

  private async compressAll(logPath: string, names: readonly string[], signal: AbortSignal): Promise<void> {
    const folder = await openLogFolder(this.podLogsDir, logPath);
    if (folder === undefined) return;
    const batch: Batch = { removed: new Set() };
    this.batches.set(logPath, batch);
    try {
      for (const name of names) {
        if (signal.aborted) return;
        await this.places.run(() => this.compressNext(batch, folder, name, signal), { signal });
      }
    } catch (error) {
      if (!signal.aborted) throw error;
    } finally {
      this.batches.delete(logPath);
      await folder.close();
    }
  }

  private async compressNext(batch: Batch, folder: ContainedFolder, name: string, signal: AbortSignal): Promise<void> {
    if (batch.removed.has(name)) return;
    const ending = linkSignals(signal);
    const done = this.compress(folder, name, ending.signal);
    batch.current = { name, ending, done };
    await done;
    ending.dispose();
    delete batch.current;
  }

  /** Never rejects: a failure affects this file alone, which stays until the next rotation. */
  private async compress(folder: ContainedFolder, name: string, signal: AbortSignal): Promise<void> {
    try {
      await compressLog(folder, name, signal);
    } catch (error) {
      if (signal.aborted || isMissing(error)) return;
      this.logger.error('failed to compress log', { path: folder.pathOf(name), error });
    }
  }
}

function cancelled(): KubeletError {
  return new KubeletError('the log is removed', { code: 'cancelled' });
}
