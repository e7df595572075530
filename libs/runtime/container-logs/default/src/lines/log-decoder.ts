import { KubeletError } from '@podwright/errors';
import { goQuote } from '@podwright/kube-types';
import { parseCriLine } from './cri-line.js';
import { parseDockerLine } from './docker-line.js';
import { LogRecord } from './log-record.js';
import type { ParseLine } from './log-record.js';
import { LogStamp } from './log-stamp.js';

/** Receives the records that a {@link LogDecoder} finds. */
export interface LogSink {
  record(record: LogRecord): void;
  /** Receives more content of the last record. */
  more(bytes: Uint8Array, start: number, end: number): void;
  /** True when the sink takes no more records. */
  readonly full: boolean;
}

const lineFeed = 0x0a;
/** Longer lines are passed on in pieces. Runtimes cut lines at 16 KiB unless they are configured otherwise. */
const longestHeldBytes = 256 * 1024;
/** Longest part of an unreadable line that the error quotes. */
const longestQuotedBytes = 1024;

/**
 * Splits blocks of a log into records, with bounded memory. The first line decides the format; an unknown format throws
 * `failed-precondition`. Later lines in another format are skipped, as upstream does.
 */
export class LogDecoder {
  /** Time of the last valid line. */
  readonly last = new LogStamp();
  /** Number of skipped lines. */
  skipped = 0;
  private readonly record = new LogRecord();
  private parse: ParseLine | undefined;
  /** The begin of a line, in the pieces in which it came: to join them at each piece would take the square of their number. */
  private held: Uint8Array[] = [];
  private heldBytes = 0;
  private longLine: 'no' | 'passed-on' | 'skipped' = 'no';
  private longLineIsPartial = false;

  constructor(private readonly sink: LogSink) {}

  /** Decodes until the block ends or the sink is full. The caller may reuse the block afterwards. */
  push(block: Uint8Array): void {
    let start = this.longLine === 'no' ? 0 : this.continueLongLine(block);
    while (start < block.length && !this.sink.full) {
      const feed = block.indexOf(lineFeed, start);
      if (feed < 0) return this.hold(block.subarray(start));
      if (this.held.length > 0) {
        const line = this.takeHeld(block.subarray(start, feed + 1));
        this.line(line, 0, line.length);
      } else {
        this.line(block, start, feed + 1);
      }
      start = feed + 1;
    }
  }

  /** Call at the end of a file: decodes the bytes after its last line feed as a line. */
  endOfFile(): void {
    const held = this.takeHeld();
    this.longLine = 'no';
    if (held.length > 0 && !this.sink.full) this.line(held, 0, held.length);
  }

  private line(bytes: Uint8Array, start: number, end: number): boolean {
    this.parse ??= formatOf(bytes, start, end, this.record);
    const understood = this.parse(bytes, start, end, this.record);
    if (understood) {
      this.last.copyTime(this.record.stamp);
      this.sink.record(this.record);
    } else {
      this.skipped++;
    }
    return understood;
  }

  private hold(rest: Uint8Array): void {
    this.held.push(Buffer.from(rest));
    this.heldBytes += rest.length;
    if (this.heldBytes <= longestHeldBytes) return;
    const begun = this.takeHeld();
    this.parse ??= formatOf(begun, 0, begun.length, this.record);
    // JSON can be parsed only when the line is complete, so a long JSON line is skipped.
    const passedOn = this.parse === parseCriLine && this.line(begun, 0, begun.length);
    this.longLineIsPartial = passedOn && isPartial(begun);
    this.longLine = passedOn ? 'passed-on' : 'skipped';
  }

  private takeHeld(...end: readonly Uint8Array[]): Uint8Array {
    const whole = Buffer.concat([...this.held, ...end]);
    this.held = [];
    this.heldBytes = 0;
    return whole;
  }

  /** Returns where the next line begins. */
  private continueLongLine(block: Uint8Array): number {
    const feed = block.indexOf(lineFeed);
    const end = feed < 0 ? block.length : feed + 1;
    if (this.longLine === 'passed-on') this.sink.more(block, 0, feed >= 0 && this.longLineIsPartial ? feed : end);
    if (feed >= 0) this.longLine = 'no';
    return end;
  }
}

/** Source: kubernetes v1.36 staging/src/k8s.io/cri-client/pkg/logs/logs.go getParseFunc. */
function formatOf(bytes: Uint8Array, start: number, end: number, record: LogRecord): ParseLine {
  const format = [parseCriLine, parseDockerLine].find((parse) => parse(bytes, start, end, record));
  if (format !== undefined) return format;
  const line = Buffer.from(bytes.subarray(start, Math.min(end, start + longestQuotedBytes))).toString('utf8');
  const message = `failed to get parse function: unsupported log format: ${goQuote(line)}`;
  throw new KubeletError(message, { code: 'failed-precondition' });
}

/** Expects a valid CRI line: the tags follow the second space. */
function isPartial(line: Uint8Array): boolean {
  const tags = line.indexOf(0x20, line.indexOf(0x20) + 1) + 1;
  return line[tags] === 0x50 && (line[tags + 1] === 0x3a || line[tags + 1] === 0x20);
}
