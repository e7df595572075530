import { promisify } from 'node:util';
import { constants, gzip } from 'node:zlib';
import { KubeletError } from '@podwright/errors';
import type { RecordingGap } from '@podwright/flight-recorder-interface';
import { FailureLog, type Logger } from '@podwright/logging';
import type { Clock, Timer } from '@podwright/time';
import type { FlightRecorderConfig } from '../flight-recorder-config.js';
import type { RecordingFiles } from './recording-files.js';

const compress = promisify(gzip);

export interface RecordingWriterDeps {
  readonly files: RecordingFiles;
  readonly clock: Clock;
  readonly logger: Logger;
  /** Now, in the recording's time. */
  readonly at: () => number;
}

/**
 * Appends lines to one recording, a batch at a time; each batch is a gzip member of its own, so a kill tears the last one
 * at most. Nothing waits for it.
 */
export class RecordingWriter {
  private buffer: string[] = [];
  private bufferedBytes = 0;
  private file: string | undefined;
  private fileBytes = 0;
  private writing: Promise<void> = Promise.resolve();
  private timer: Timer | undefined;
  private readonly failures: FailureLog;
  private readonly lost = { buffer: 0, disk: 0 };
  private ended: 'full' | 'stopped' | undefined;

  constructor(
    private readonly deps: RecordingWriterDeps,
    private readonly config: FlightRecorderConfig,
  ) {
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
      this.lost.buffer++;
      return;
    }
    this.buffer.push(line);
    this.bufferedBytes += line.length + 1;
    this.timer ??= this.deps.clock.setTimer(this.config.writeDelayMs, () => void this.flush());
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

  private async write(): Promise<void> {
    if (this.buffer.length === 0) return;
    const lines = [...this.gaps(), ...this.buffer];
    this.buffer = [];
    this.bufferedBytes = 0;
    try {
      await this.append(lines);
      this.failures.over('The flight recorder writes again', { file: this.file });
    } catch (error) {
      this.lost.disk += lines.length;
      const message = 'The flight recorder cannot write; a replay will end here';
      this.failures.failed(KubeletError.from(error).code, message, { file: this.file, error });
    }
  }

  private async append(lines: readonly string[]): Promise<void> {
    const { files, logger, at } = this.deps;
    const most = this.config.maxDiskBytes / 2;
    this.file ??= await files.begin(most);
    const bytes = await compress(`${lines.join('\n')}\n`, { level: constants.Z_BEST_SPEED });
    await files.append(this.file, bytes);
    this.fileBytes += bytes.length;
    if (this.fileBytes < most || this.ended !== undefined) return;
    this.ended = 'full';
    const gap: RecordingGap = { t: 'gap', at: at(), cause: 'full', lines: 0 };
    await files.append(this.file, await compress(`${JSON.stringify(gap)}\n`));
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
