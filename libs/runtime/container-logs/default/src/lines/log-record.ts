import { LogStamp } from './log-stamp.js';

/** One line of a log file. One object is reused for all lines, so it is valid only until the next line is read. */
export class LogRecord {
  readonly stamp = new LogStamp();
  isStderr = false;
  /**
   * The content is `contentStart` to `contentEnd` of these bytes. It includes the line feed, except in a partial line.
   */
  bytes: Uint8Array = new Uint8Array();
  contentStart = 0;
  contentEnd = 0;
}

/** Parses one line, line feed included, into the record; false when the line has another format. */
export type ParseLine = (line: Uint8Array, start: number, end: number, record: LogRecord) => boolean;
