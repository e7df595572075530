import { ContainedFolder } from '@podwright/contained-path';
import type { Logger } from '@podwright/logging';
import type { Clock } from '@podwright/time';
import { PlainLogFile } from '../files/log-file.js';
import type { LogFile } from '../files/log-file.js';
import { openError, readError } from '../files/log-error.js';
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
  /** Whether the container still runs. Called at most once per `pollPeriodMs`. */
  readonly isRunning: () => Promise<boolean>;
  readonly signal: AbortSignal;
}

export interface LogReadingTimes {
  /** How often a followed log is polled when its folder reports no change. */
  readonly pollPeriodMs: number;
  /**
   * After a rotation, how long to wait for more lines in the old file: the runtime may still write its last lines
   * there.
   */
  readonly rotationSettleMs: number;
}

/**
 * Reads a log for one client: the file that is current at the start, then the files that follow by rotation. Reads only
 * when `next()` is called. Source: kubernetes v1.36 staging/src/k8s.io/cri-client/pkg/logs/logs.go ReadLogs.
 */
export class LogReading {
  private readonly output: LogOutput;
  private readonly decoder: LogDecoder;
  private readonly changes: FolderChanges;
  private watching = false;
  private ended = false;
  /** The next file was found, and this one has had no new lines since. */
  private settled = false;
  private runningUntilMs = -Infinity;
  private underWay: Promise<void> = Promise.resolve();
  private closing: Promise<void> | undefined;

  private constructor(
    private readonly opened: { readonly folder: ContainedFolder; readonly log: RotatedLog; file: LogFile },
    private readonly deps: LogReadingDeps,
    private readonly options: ReadOptions,
    private readonly times: LogReadingTimes,
  ) {
    this.output = new LogOutput(options.output);
    this.decoder = new LogDecoder(this.output);
    // Before the first line is read: every file that was rotated already is older than this.
    this.decoder.last.setMs(deps.clock.now());
    this.changes = new FolderChanges(deps.clock, deps.logger);
  }

  /**
   * Opens the log and reads its first block to check the format. Rejects with {@link openError}, {@link readError} or
   * the decoder's error.
   */
  static async open(
    podLogsDir: string,
    { folder: names, name }: LogLocation,
    deps: LogReadingDeps,
    options: ReadOptions,
    times: LogReadingTimes,
  ): Promise<LogReading> {
    const folder = await ContainedFolder.open(podLogsDir, names, openError);
    let reading: LogReading | undefined;
    try {
      const log = new RotatedLog(folder, name);
      reading = new LogReading({ folder, log, file: await log.open() }, deps, options, times);
      await reading.begin();
      return reading;
    } catch (error) {
      await (reading ?? folder).close();
      throw error;
    }
  }

  /**
   * The next piece; undefined at the end and when the signal has aborted. Rejects when the log cannot be read. One call
   * at a time.
   */
  next(): Promise<Uint8Array | undefined> {
    const reading = this.read();
    this.underWay = reading.then(
      () => undefined,
      () => undefined,
    );
    return reading;
  }

  /** Closes files and watches after a pending `next()` has settled; abort the signal first. May be called twice. */
  close(): Promise<void> {
    this.closing ??= this.underWay.then(async () => {
      this.changes.close();
      await Promise.all([this.opened.file.close(), this.opened.folder.close()]);
      const { skipped } = this.decoder;
      if (skipped === 0) return;
      this.deps.logger.info('Failed when parsing lines in log file', { path: this.opened.file.path, lines: skipped });
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
        const block = await this.opened.file.read();
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
    const { file } = this.opened;
    if (tailLines !== undefined && file instanceof PlainLogFile) {
      file.position = await tailStart(file.handle, tailLines, this.deps.signal).catch((error: unknown) => {
        this.deps.signal.throwIfAborted();
        throw readError(file.path, error);
      });
    }
    if (this.output.full) return;
    const block = await this.opened.file.read();
    if (block !== undefined) this.decoder.push(block);
  }

  /** Called at the end of a file: moves to the next file or waits for more lines. False when the log has ended. */
  private async goOn(): Promise<boolean> {
    const next = await this.opened.log.after(this.opened.file, this.decoder.last);
    if (next !== undefined) {
      await this.moveTo(next);
      return true;
    }
    if (!this.options.follow || this.ended) {
      this.decoder.endOfFile();
      return false;
    }
    // Each branch is followed by one more read: of the lines before the container ended, or before the watch began.
    if (!(await this.stillRunning())) this.ended = true;
    else if (!this.watching) this.startWatch();
    else await this.changes.wait(this.times.pollPeriodMs, this.deps.signal);
    return true;
  }

  private async moveTo({ file, isCurrent }: NextLogFile): Promise<void> {
    if (!this.settled) {
      // Read the old file once more first: lines may have come between the last read and the finding of the new file.
      await file.close();
      this.settled = true;
      if (isCurrent) await this.deps.clock.sleep(this.times.rotationSettleMs, this.deps.signal);
      return;
    }
    this.settled = false;
    this.decoder.endOfFile();
    const old = this.opened.file;
    this.opened.file = file;
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
    this.changes.watch(this.opened.folder.handlePath);
  }
}
