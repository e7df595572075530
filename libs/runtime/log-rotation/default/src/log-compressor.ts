import { Gate, KeyedLanes } from '@podwright/concurrency';
import { KubeletError } from '@podwright/errors';
import type { Logger } from '@podwright/logging';
import { compressLog } from './compress-log.js';
import { isMissing, LogFolder } from './log-folder.js';

/** Files of one log that are compressed one after the other. */
interface Batch {
  /** Names that are to be removed: those are not begun any more. */
  readonly removed: Set<string>;
  current?: { readonly name: string; readonly ending: AbortController; readonly done: Promise<void> };
}

/**
 * Compresses rotated logs beside the rotation, which must not wait for it: a container that writes much would outgrow its limit
 * meanwhile. One file at a time of each log, a few of all logs.
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

  /** Rotated files of a log; what waits of it is replaced. */
  submit(logPath: string, names: readonly string[]): void {
    if (names.length > 0) this.lanes.submit(logPath, names);
  }

  /** The file of the log that is being compressed now. */
  current(logPath: string): string | undefined {
    return this.batches.get(logPath)?.current?.name;
  }

  /**
   * Resolves when nothing is done to these files any more, so that they can be removed for good: one whose compression could not
   * be ended in time may have been packed by then. What waits of the log is dropped, until it is submitted again.
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

  /** Resolves when nothing of the log is being compressed; what waits is dropped. */
  async drop(logPath: string): Promise<void> {
    this.lanes.cancelPending(logPath);
    this.batches.get(logPath)?.current?.ending.abort(cancelled());
    await this.lanes.whenIdle(logPath);
  }

  /** Of the log, or of all. */
  whenIdle(logPath?: string): Promise<void> {
    return this.lanes.whenIdle(logPath);
  }

  stop(): Promise<void> {
    return this.lanes.stop();
  }

  private async compressAll(logPath: string, names: readonly string[], signal: AbortSignal): Promise<void> {
    const folder = await LogFolder.of(this.podLogsDir, logPath);
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

  private async compressNext(batch: Batch, folder: LogFolder, name: string, signal: AbortSignal): Promise<void> {
    if (batch.removed.has(name)) return;
    const ending = new AbortController();
    const done = this.compress(folder, name, AbortSignal.any([signal, ending.signal]));
    batch.current = { name, ending, done };
    await done;
    delete batch.current;
  }

  /** Never rejects: a failure concerns this file alone, which stays as it is until the next rotation. */
  private async compress(folder: LogFolder, name: string, signal: AbortSignal): Promise<void> {
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
