import { KubeletError, messageOf } from '@podwright/errors';
import { FailureLog, type Logger } from '@podwright/logging';
import { GrowingPause, type Clock, type Timer } from '@podwright/time';
import type { EncodedEntry } from '../encode-entry.js';
import type { SegmentFiles } from './segment-files.js';

export interface SegmentWriterOptions {
  readonly maxDiskBytes: number;
  readonly segmentBytes: number;
  readonly writeDelayMs: number;
  readonly bufferBytes: number;
}

export interface SegmentWriterDeps {
  readonly files: SegmentFiles;
  readonly clock: Clock;
  readonly logger: Logger;
  /** Called after a write when entries did not fit into the buffer before it. */
  readonly onLost: (entries: number, cause: 'buffer' | 'disk', error?: string) => void;
}

// Each start of a kubelet makes a segment, which may hold little.
const mostSegments = 64;
const longestPauseMs = 60_000;

/**
 * Writes entries in batches, one write at a time. Nothing waits for it: while the disk is slow, or takes none, entries
 * collect in a bounded buffer. It retries after growing pauses.
 */
export class SegmentWriter {
  private buffer: EncodedEntry[] = [];
  private bufferedBytes = 0;
  /** What is being written. */
  private underway: readonly EncodedEntry[] = [];
  private writing: Promise<void> | undefined;
  private timer: Timer | undefined;
  private readonly pause: GrowingPause;
  private readonly failures: FailureLog;
  /** Sizes of the segments on disk, oldest first; undefined before the first write. */
  private sizes: Map<number, number> | undefined;
  /** The segment that is appended to; undefined: the next write begins one. */
  private current: number | undefined;
  private readonly lost = { buffer: 0, disk: 0 };
  /** Why the last write failed; undefined: it did not. */
  private error: string | undefined;
  private stopped = false;

  constructor(
    private readonly deps: SegmentWriterDeps,
    private readonly options: SegmentWriterOptions,
  ) {
    const firstMs = Math.max(options.writeDelayMs, 1_000);
    this.pause = new GrowingPause({ firstMs, longestMs: longestPauseMs });
    this.failures = new FailureLog(deps.logger, deps.clock);
  }

  add(encoded: EncodedEntry): void {
    if (this.stopped) return;
    if (this.bufferedBytes + encoded.line.length > this.options.bufferBytes) {
      this.lost[this.error === undefined ? 'buffer' : 'disk']++;
      return;
    }
    this.buffer.push(encoded);
    this.bufferedBytes += encoded.line.length + 1;
    if (this.writing === undefined) this.writeIn(this.options.writeDelayMs);
  }

  /** What is not on disk yet, oldest first. */
  waiting(): readonly EncodedEntry[] {
    return [...this.underway, ...this.buffer];
  }

  /** Writes what there is. Later entries are lost to the disk. */
  async stop(): Promise<void> {
    this.stopped = true;
    this.timer?.cancel();
    this.timer = undefined;
    await this.writing;
    if (this.buffer.length > 0) await this.write();
  }

  private writeIn(delayMs: number): void {
    this.timer ??= this.deps.clock.setTimer(delayMs, () => {
      this.timer = undefined;
      this.writing = this.write().finally(() => {
        this.writing = undefined;
        if (this.buffer.length > 0 && !this.stopped) this.writeIn(this.options.writeDelayMs);
      });
    });
  }

  /** Never rejects. */
  private async write(): Promise<void> {
    const batch = this.buffer;
    const bytes = this.bufferedBytes;
    this.underway = batch;
    this.buffer = [];
    this.bufferedBytes = 0;
    try {
      await this.append(batch.map(({ line }) => `${line}\n`).join(''));
      this.pause.reset();
      this.failures.over('The journal is written to disk again', { directory: this.deps.files.directory });
      this.tellLost();
      this.error = undefined;
    } catch (error) {
      this.buffer = [...batch, ...this.buffer];
      this.bufferedBytes += bytes;
      this.failed(error);
    }
    this.underway = [];
  }

  private async append(lines: string): Promise<void> {
    const { files } = this.deps;
    this.sizes ??= new Map((await files.list()).map(({ index, bytes }) => [index, bytes]));
    this.current ??= Math.max(0, ...this.sizes.keys()) + 1;
    const bytes = Buffer.byteLength(lines);
    await this.makeRoom(this.sizes, bytes);
    await files.append(this.current, lines);
    const size = (this.sizes.get(this.current) ?? 0) + bytes;
    this.sizes.set(this.current, size);
    if (size >= this.options.segmentBytes) this.current = undefined;
  }

  private async makeRoom(sizes: Map<number, number>, bytes: number): Promise<void> {
    let total = bytes;
    for (const size of sizes.values()) total += size;
    for (const [index, size] of [...sizes]) {
      if (total <= this.options.maxDiskBytes && sizes.size < mostSegments) return;
      if (index === this.current) return;
      await this.deps.files.remove(index);
      sizes.delete(index);
      total -= size;
    }
  }

  private failed(error: unknown): void {
    // Somebody who makes room may have removed segments.
    this.sizes = undefined;
    this.error = messageOf(error);
    const { directory } = this.deps.files;
    const message =
      'The journal cannot be written; its entries wait in memory and are written later. Make room in the file system of its directory, or make it writable';
    this.failures.failed(KubeletError.from(error).code, message, { directory, error });
    if (!this.stopped) this.writeIn(this.pause.next());
  }

  private tellLost(): void {
    const { buffer, disk } = this.lost;
    Object.assign(this.lost, { buffer: 0, disk: 0 });
    if (buffer > 0) this.deps.onLost(buffer, 'buffer');
    if (disk > 0) this.deps.onLost(disk, 'disk', this.error);
  }
}
