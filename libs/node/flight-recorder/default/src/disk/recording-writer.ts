import { promisify } from 'node:util';
import { constants, gzip } from 'node:zlib';
import { KubeletError } from '@podwright/errors';
import type { RecordingGap } from '@podwright/flight-recorder-interface';
import { FailureLog, type Logger } from '@podwright/logging';
import { GrowingPause, type Clock, type Timer } from '@podwright/time';
import type { FlightRecorderConfig } from '../flight-recorder-config.js';
import type { RecordingTape } from '../tape/recording-tape.js';
import type { RecordingFiles } from './recording-files.js';

const compress = promisify(gzip);
const longestPauseMs = 60_000;
// Of all bytes that are kept, so much goes at once when the oldest segment goes.
const segmentsKept = 8;
// The snapshot is to be the smaller part of its segment.
const leastTimesSnapshot = 3;
// Nothing pauses for so long in the midst of a restart of a container.
const quietMs = 300;
// Where it is never quiet, the next segment begins anyway.
const longestSegment = 1.5;

export interface RecordingWriterDeps {
  readonly files: RecordingFiles;
  readonly clock: Clock;
  readonly logger: Logger;
  /** Now, in the recording's time. */
  readonly at: () => number;
  /** The first lines of a segment that begins now. */
  readonly snapshot: RecordingTape['snapshot'];
}

/**
 * Appends lines to the segments of one recording, a batch at a time; each batch is a gzip member of its own, so a kill tears the last one
 * at most. Nothing waits for it: while the disk takes nothing, lines collect in a bounded buffer. It retries after
 * growing pauses. When a segment is long enough, the next begins with a snapshot as soon as nothing has come for a
 * moment: a kubelet that is replayed from the midst of a restart of a container would decide something else.
 */
export class RecordingWriter {
  private buffer: string[] = [];
  private bufferedBytes = 0;
  /** A compressed batch that the disk did not take. */
  private refused: Uint8Array | undefined;
  private file: string | undefined;
  private segment = 0;
  /** Bytes with which the segment began. */
  private firstBytes = 0;
  /** The next batch is the first of a segment; `last`: the next one is the last of the segment. */
  private next: 'begins' | 'continues' | 'last' = 'begins';
  private writing: Promise<void> = Promise.resolve();
  private timer: Timer | undefined;
  private quiet: Timer | undefined;
  private latestLineAt = 0;
  private readonly pause: GrowingPause;
  private readonly failures: FailureLog;
  private readonly lost = { buffer: 0, disk: 0 };
  private ended = false;

  constructor(
    private readonly deps: RecordingWriterDeps,
    private readonly config: FlightRecorderConfig,
  ) {
    this.pause = new GrowingPause({ firstMs: config.writeDelayMs, longestMs: longestPauseMs });
    this.failures = new FailureLog(deps.logger, deps.clock);
  }

  /** Of the segment that is written; undefined before the first write. */
  get path(): string | undefined {
    return this.file;
  }

  get bytes(): number {
    return this.deps.files.bytes;
  }

  add(line: string): void {
    if (this.ended) return;
    if (this.bufferedBytes + line.length > this.config.bufferBytes) {
      this.lost[this.refused === undefined ? 'buffer' : 'disk']++;
      return;
    }
    this.latestLineAt = this.deps.clock.monotonic();
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
    this.ended = true;
    this.quiet?.cancel();
    await last;
  }

  private flushIn(delayMs: number): void {
    this.timer ??= this.deps.clock.setTimer(delayMs, () => void this.flush());
  }

  private flushWhenQuiet(): void {
    this.quiet ??= this.deps.clock.setTimer(quietMs, () => {
      this.quiet = undefined;
      if (this.isQuiet()) void this.flush();
      else this.flushWhenQuiet();
    });
  }

  private isQuiet(): boolean {
    return this.deps.clock.monotonic() - this.latestLineAt >= quietMs;
  }

  private async write(): Promise<void> {
    try {
      if (this.refused !== undefined) await this.append(this.refused);
      if (this.buffer.length > 0) await this.append(await this.pack());
      await this.beginNextWhenQuiet();
      this.pause.reset();
      this.failures.over('The recording is written again', { file: this.file });
    } catch (error) {
      const message =
        'The recording cannot be written; its lines wait in memory and are written later. Make room in the file system of its directory, or make it writable';
      const { directory } = this.deps.files;
      this.failures.failed(KubeletError.from(error).code, message, { directory, error });
      if (!this.ended) this.flushIn(this.pause.next());
    }
  }

  private pack(): Promise<Uint8Array> {
    // What did not fit into the buffer came after what is in it.
    return packed([...this.sealed(), ...this.gaps()]);
  }

  private async append(bytes: Uint8Array): Promise<void> {
    const { files } = this.deps;
    this.refused = bytes;
    if (this.next === 'begins') {
      // Only then: a number that is missing looks like a segment that is lost.
      this.file = await files.begin(this.segment + 1);
      this.segment++;
      this.next = 'continues';
    }
    const isFirst = files.bytes === 0;
    await files.append(bytes, this.config.maxDiskBytes);
    this.refused = undefined;
    if (isFirst) this.firstBytes = files.bytes;
    if (this.next === 'last') this.next = 'begins';
  }

  private async beginNextWhenQuiet(): Promise<void> {
    const { files, snapshot } = this.deps;
    const { maxDiskBytes, writeDelayMs } = this.config;
    const enough = Math.max(maxDiskBytes / segmentsKept, leastTimesSnapshot * this.firstBytes);
    const most = Math.min(enough * longestSegment, maxDiskBytes / 2);
    if (this.ended || this.next !== 'continues' || files.bytes < most / longestSegment) return;
    if (files.bytes < most && !this.isQuiet()) {
      this.flushWhenQuiet();
      return;
    }
    // What came meanwhile belongs before the snapshot.
    const rest = this.sealed();
    this.buffer = [...snapshot({ segment: this.segment + 1 })];
    this.flushIn(writeDelayMs);
    this.next = rest.length === 0 ? 'begins' : 'last';
    if (rest.length > 0) await this.append(await packed(rest));
  }

  /** What was added so far. */
  private sealed(): readonly string[] {
    const lines = this.buffer;
    this.buffer = [];
    this.bufferedBytes = 0;
    return lines;
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

const packed = (lines: readonly string[]): Promise<Uint8Array> =>
  compress(`${lines.join('\n')}\n`, { level: constants.Z_BEST_SPEED });
