import { Gate, KeyedLanes } from '@podwright/concurrency';
import { KubeletError } from '@podwright/errors';
import type { Logger } from '@podwright/logging';
import path from 'node:path';
import { compressLog } from './compress-log.js';
import { isMissing, LogFolder } from './log-folder.js';

interface Running {
  readonly name: string;
  readonly ending: AbortController;
}

/**
 * Compresses rotated logs beside the rotation, which must not wait for it: a container that writes much would outgrow its limit
 * meanwhile. One file at a time of each log, a few of all logs.
 */
export class LogCompressor {
  private readonly places: Gate;
  private readonly lanes: KeyedLanes<string, readonly string[]>;
  private readonly running = new Map<string, Running>();

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
    return this.running.get(logPath)?.name;
  }

  /** Ends the compression of a file that is to be removed. */
  cancel(logPath: string, name: string): void {
    const running = this.running.get(logPath);
    if (running?.name === name) running.ending.abort(cancelled());
  }

  /** Resolves when nothing of the log is being compressed; what waits is dropped. */
  async drop(logPath: string): Promise<void> {
    this.lanes.cancelPending(logPath);
    this.running.get(logPath)?.ending.abort(cancelled());
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
    try {
      for (const name of names) {
        if (signal.aborted) return;
        await this.places.run(() => this.compress(folder, logPath, name, signal), { signal });
      }
    } catch (error) {
      if (!signal.aborted) throw error;
    } finally {
      await folder.close();
    }
  }

  /** A failure concerns this file alone: it stays as it is until the next rotation. */
  private async compress(folder: LogFolder, logPath: string, name: string, signal: AbortSignal): Promise<void> {
    const ending = new AbortController();
    this.running.set(logPath, { name, ending });
    try {
      await compressLog(folder, name, AbortSignal.any([signal, ending.signal]));
    } catch (error) {
      if (signal.aborted || ending.signal.aborted || isMissing(error)) return;
      this.logger.error('failed to compress log', { path: path.join(path.dirname(logPath), name), error });
    } finally {
      this.running.delete(logPath);
    }
  }
}

function cancelled(): KubeletError {
  return new KubeletError('the log is removed', { code: 'cancelled' });
}
