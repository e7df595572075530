import { promisify } from 'node:util';
import { constants, gzip } from 'node:zlib';
import { KubeletError } from '@podwright/errors';
import type { RecordingGap } from '@podwright/flight-recorder-interface';
import { FailureLog, type Logger } from '@podwright/logging';
import { GrowingPause, type Clock, type Timer } from '@podwright/time';
import type { FlightRecorderConfig } from '../flight-recorder-config.js';
import type { RecordingFiles } from './recording-files.js';

const compress = promisify(gzip);
const longestPauseMs = 60_000;

export interface RecordingWriterDeps {
  readonly files: RecordingFiles;
  readonly clock: Clock;
  readonly logger: Logger;
  /** Now, in the recording's time. */
  readonly at: () => number;
}

/**
 * Appends lines to one recording, a batch at a time; each batch is a gzip member of its own, so a kill tears the last one
 * at most. Nothing waits for it: while the disk takes nothing, lines collect in a bounded buffer. It retries after
 * growing pauses.
 */
export class RecordingWriter {
  private buffer: string[] = [];
  private bufferedBytes = 0;
  /** A compressed batch that the disk did not take. */
  private refused: Uint8Array | undefined;
  private file: string | undefined;
  private fileBytes = 0;
  private writing: Promise<void> = Promise.resolve();
  private timer: Timer | undefined;
  private readonly pause: GrowingPause;
  private readonly failures: FailureLog;
  private readonly lost = { buffer: 0, disk: 0 };
  private ended: 'full' | 'stopped' | undefined;

  constructor(
    private readonly deps: RecordingWriterDeps,
    private readonly config: FlightRecorderConfig,
  ) {
    this.pause = new GrowingPause({ firstMs: config.writeDelayMs, longestMs: longestPauseMs });
    this.failures = new FailureLog(deps.logger, deps.clock);
  }

  /** Undefined before the first write. */
  get path(): string | undefined {
    return this.file;
  }

  get bytes(): number {
    return this.fileBytes;
  }

  get isFull(): boolean {
    return this.ended === 'full';
  }

  add(line: string): void {
    if (this.ended !== undefined) return;
    if (this.bufferedBytes + line.length > this.config.bufferBytes) {
      this.lost[this.refused === undefined ? 'buffer' : 'disk']++;
      return;
    }
    this.buffer.push(line);
    this.bufferedBytes += line.length + 1;
    this.flushIn(this.config.writeDelayMs);
  }

  /** Writes what was added before. Never rejects. */
  flush(): Promise<void> {
    this.timer?.cancel();
    this.timer = undefined;
    this.writing = this.writing.then(() => this.write());
    return this.writing;
  }

  async stop(): Promise<void> {
    const last = this.flush();
    this.ended ??= 'stopped';
    await last;
  }

  private flushIn(delayMs: number): void {
    this.timer ??= this.deps.clock.setTimer(delayMs, () => void this.flush());
  }

  private async write(): Promise<void> {
    try {
      if (this.refused !== undefined) await this.append(this.refused);
      if (this.buffer.length > 0) await this.append(await this.pack());
      this.pause.reset();
      this.failures.over('The recording is written again', { file: this.file });
    } catch (error) {
      const message =
        'The recording cannot be written; its lines wait in memory and are written later. Make room in the file system of its directory, or make it writable';
      const { directory } = this.deps.files;
      this.failures.failed(KubeletError.from(error).code, message, { directory, error });
      if (this.ended !== 'stopped') this.flushIn(this.pause.next());
    }
  }

  private pack(): Promise<Uint8Array> {
    // What did not fit into the buffer came after what is in it.
    const lines = [...this.buffer, ...this.gaps()];
    this.buffer = [];
    this.bufferedBytes = 0;
    return compress(`${lines.join('\n')}\n`, { level: constants.Z_BEST_SPEED });
  }

  private async append(bytes: Uint8Array): Promise<void> {
    const { files, logger, at } = this.deps;
    const most = this.config.maxDiskBytes / 2;
    this.refused = bytes;
    this.file ??= await files.begin(most);
    await files.append(this.file, bytes);
    this.refused = undefined;
    this.fileBytes += bytes.length;
    if (this.fileBytes < most || this.ended !== undefined) return;
    this.ended = 'full';
    const gap: RecordingGap = { t: 'gap', at: at(), cause: 'full', lines: this.buffer.length };
    this.buffer = [];
    await this.append(await compress(`${JSON.stringify(gap)}\n`));
    logger.warn('The recording has reached its limit and ends; the next start of the kubelet begins another one', {
      file: this.file,
      maxDiskBytes: this.config.maxDiskBytes,
    });
  }

  private gaps(): readonly string[] {
    const at = this.deps.at();
    return (['buffer', 'disk'] as const).flatMap((cause) => {
      const lines = this.lost[cause];
      this.lost[cause] = 0;
      return lines === 0 ? [] : [JSON.stringify({ t: 'gap', at, cause, lines } satisfies RecordingGap)];
    });
  }
}
