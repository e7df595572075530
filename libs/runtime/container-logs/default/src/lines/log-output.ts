import type { LogSink } from './log-decoder.js';
import type { LogRecord } from './log-record.js';
import type { LogStamp } from './log-stamp.js';

export interface LogOutputOptions {
  readonly since?: LogStamp;
  readonly timestamps: boolean;
  readonly stream: 'All' | 'Stdout' | 'Stderr';
  /** Most bytes of output, time stamps included. */
  readonly limitBytes: number;
  /** Most records to take; records that `since` or `stream` drops count too. */
  readonly limitRecords: number;
}

const lineFeed = 0x0a;
const smallestBuffer = 16 * 1024;

/**
 * Filters records and formats them for the client. Source: kubernetes v1.36
 * staging/src/k8s.io/cri-client/pkg/logs/logs.go logWriter, ReadLogs.
 */
export class LogOutput implements LogSink {
  private buffer = Buffer.allocUnsafe(smallestBuffer);
  private length = 0;
  private remainingBytes: number;
  private remainingRecords: number;
  /** False after a partial record: the next record continues its line and gets no time stamp. */
  private atLineStart = true;
  private taken = false;

  constructor(private readonly options: LogOutputOptions) {
    this.remainingBytes = options.limitBytes;
    this.remainingRecords = options.limitRecords;
  }

  get full(): boolean {
    return this.remainingBytes <= 0 || this.remainingRecords <= 0;
  }

  record(record: LogRecord): void {
    const { since, stream, timestamps } = this.options;
    this.remainingRecords--;
    this.taken = stream === 'All' || record.isStderr === (stream === 'Stderr');
    if (!this.taken) return;
    const { bytes, contentStart, contentEnd } = record;
    const startsLine = this.atLineStart;
    this.atLineStart = contentStart === contentEnd || bytes[contentEnd - 1] === lineFeed;
    this.taken = since === undefined || !record.stamp.isBefore(since);
    if (!this.taken) return;
    if (timestamps && startsLine) {
      const stamp = record.stamp.toBytes();
      this.write(stamp, 0, stamp.length);
      this.write(space, 0, 1);
    }
    this.write(bytes, contentStart, contentEnd);
  }

  more(bytes: Uint8Array, start: number, end: number): void {
    if (!this.taken || start === end) return;
    this.atLineStart = bytes[end - 1] === lineFeed;
    this.write(bytes, start, end);
  }

  /** Returns the output since the last call; undefined when there is none. */
  take(): Uint8Array | undefined {
    if (this.length === 0) return undefined;
    const taken = Buffer.from(this.buffer.subarray(0, this.length));
    this.length = 0;
    return taken;
  }

  private write(bytes: Uint8Array, start: number, wantedEnd: number): void {
    const count = Math.min(wantedEnd - start, Math.max(0, this.remainingBytes));
    if (count === 0) return;
    this.remainingBytes -= count;
    if (this.length + count > this.buffer.length) {
      const larger = Buffer.allocUnsafe(2 * (this.length + count));
      this.buffer.copy(larger, 0, 0, this.length);
      this.buffer = larger;
    }
    this.buffer.set(bytes.subarray(start, start + count), this.length);
    this.length += count;
  }
}

const space = Buffer.from(' ');
