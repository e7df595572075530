import type { Logger } from '@podwright/logging';
import type { Clock } from '@podwright/time';
import { PlainLogFile } from '../files/log-file.js';
import type { LogFile } from '../files/log-file.js';
import { readError } from '../files/log-error.js';
import { LogFolder } from '../files/log-folder.js';
import { RotatedLog } from '../files/rotated-log.js';
import type { NextLogFile } from '../files/rotated-log.js';
import { tailStart } from '../files/tail-start.js';
import type { LogLocation } from '../instance/log-location.js';
import { LogDecoder } from '../lines/log-decoder.js';
import { LogOutput } from '../lines/log-output.js';
import { FolderChanges } from './folder-changes.js';
import type { ReadOptions } from './read-options.js';

export interface LogReadingDeps {
  readonly clock: Clock;
  readonly logger: Logger;
  /** Whether the container still writes; asked at most once in `pollPeriodMs`. */
  readonly isRunning: () => Promise<boolean>;
  readonly signal: AbortSignal;
}

export interface LogReadingTimes {
  /** A followed log is looked at this often when no change is seen. */
  readonly pollPeriodMs: number;
  /** How long nothing more may have come into the old file when the new one has begun: the runtime writes its rest beside that. */
  readonly rotationSettleMs: number;
}

/**
 * One reader's way through a log: from the file that is current at its start to the files that rotation puts after it. Reads only
 * as fast as it is asked to. Source: kubernetes v1.36 staging/src/k8s.io/cri-client/pkg/logs/logs.go ReadLogs.
 */
export class LogReading {
  private readonly output: LogOutput;
  private readonly decoder: LogDecoder;
  private readonly changes: FolderChanges;
  private watching = false;
  private ended = false;
  /** Nothing has come since a file after this one was found. */
  private settled = false;
  private runningUntilMs = -Infinity;
  private underWay: Promise<void> = Promise.resolve();
  private closing: Promise<void> | undefined;

  private constructor(
    private readonly folder: LogFolder,
    private readonly log: RotatedLog,
    private file: LogFile,
    private readonly deps: LogReadingDeps,
    private readonly options: ReadOptions,
    private readonly times: LogReadingTimes,
  ) {
    this.output = new LogOutput(options.output);
    this.decoder = new LogDecoder(this.output);
    // Nothing was read yet; what rotation has put aside is older than this.
    this.decoder.last.setMs(deps.clock.now());
    this.changes = new FolderChanges(deps.clock, deps.logger);
  }

  /** Opens the log and reads its first block, so that it is known to be one. Rejects as {@link LogFolder} and the decoder do. */
  static async open(
    podLogsDir: string,
    { folder: names, name }: LogLocation,
    deps: LogReadingDeps,
    options: ReadOptions,
    times: LogReadingTimes,
  ): Promise<LogReading> {
    const folder = await LogFolder.open(podLogsDir, names);
    let reading: LogReading | undefined;
    try {
      const log = new RotatedLog(folder, name);
      reading = new LogReading(folder, log, await log.open(), deps, options, times);
      await reading.begin();
      return reading;
    } catch (error) {
      await (reading ?? folder).close();
      throw error;
    }
  }

  /**
   * The next piece; undefined at the end, and when the signal has aborted. Rejects when the log cannot be read. One call at a
   * time.
   */
  next(): Promise<Uint8Array | undefined> {
    const reading = this.read();
    this.underWay = reading.then(
      () => undefined,
      () => undefined,
    );
    return reading;
  }

  /** Frees files and watches, once a read that is under way has ended: abort the signal before. May come twice. */
  close(): Promise<void> {
    this.closing ??= this.underWay.then(async () => {
      this.changes.close();
      await Promise.all([this.file.close(), this.folder.close()]);
      const { skipped } = this.decoder;
      if (skipped === 0) return;
      this.deps.logger.info('Failed when parsing lines in log file', { path: this.file.path, lines: skipped });
    });
    return this.closing;
  }

  private async read(): Promise<Uint8Array | undefined> {
    const { signal } = this.deps;
    try {
      for (;;) {
        const piece = this.output.take();
        if (piece !== undefined) return piece;
        if (this.output.full || signal.aborted) return undefined;
        const block = await this.file.read();
        if (block === undefined) {
          if (!(await this.goOn())) return this.output.take();
        } else {
          this.settled = false;
          this.decoder.push(block);
        }
      }
    } catch (error) {
      if (signal.aborted) return undefined;
      throw error;
    }
  }

  private async begin(): Promise<void> {
    const { tailLines } = this.options;
    const { file } = this;
    if (tailLines !== undefined && file instanceof PlainLogFile) {
      file.position = await tailStart(file.handle, tailLines, this.deps.signal).catch((error: unknown) => {
        this.deps.signal.throwIfAborted();
        throw readError(file.path, error);
      });
    }
    if (this.output.full) return;
    const block = await this.file.read();
    if (block !== undefined) this.decoder.push(block);
  }

  /** At the end of a file: false when nothing comes after it any more. */
  private async goOn(): Promise<boolean> {
    const next = await this.log.after(this.file, this.decoder.last);
    if (next !== undefined) {
      await this.moveTo(next);
      return true;
    }
    if (!this.options.follow || this.ended) {
      this.decoder.endOfFile();
      return false;
    }
    // What was written until now is read once more before the end, and so is what came before the watch.
    if (!(await this.stillRunning())) this.ended = true;
    else if (!this.watching) this.startWatch();
    else await this.changes.wait(this.times.pollPeriodMs, this.deps.signal);
    return true;
  }

  private async moveTo({ file, isCurrent }: NextLogFile): Promise<void> {
    if (!this.settled) {
      // What came between the last read and the new file's finding is read before that.
      await file.close();
      this.settled = true;
      if (isCurrent) await this.deps.clock.sleep(this.times.rotationSettleMs, this.deps.signal);
      return;
    }
    this.settled = false;
    this.decoder.endOfFile();
    const old = this.file;
    this.file = file;
    await old.close();
  }

  private async stillRunning(): Promise<boolean> {
    const { clock, isRunning } = this.deps;
    if (clock.monotonic() < this.runningUntilMs) return true;
    this.runningUntilMs = clock.monotonic() + this.times.pollPeriodMs;
    return isRunning();
  }

  private startWatch(): void {
    this.watching = true;
    this.changes.watch(this.folder.handlePath);
  }
}
