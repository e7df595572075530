import { LogStamp } from './log-stamp.js';

/** One line of a log file, as long as its bytes are there. One object serves for all lines of a log. */
export class LogRecord {
  readonly stamp = new LogStamp();
  isStderr = false;
  /** What the container wrote, its line feed included unless the line goes on in the next record: a part of these bytes. */
  bytes: Uint8Array = new Uint8Array();
  contentStart = 0;
  contentEnd = 0;
}

/** Reads one line, line feed included, into the record; false when it is none of the format. */
export type ParseLine = (line: Uint8Array, start: number, end: number, record: LogRecord) => boolean;
