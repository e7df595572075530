import type { LogFields } from './logger.js';

export type Severity = 'info' | 'warning' | 'error';

/** One log line before it is formatted. */
export interface LogEntry {
  readonly timeMs: number;
  readonly severity: Severity;
  /** Verbosity of an info line, 0 for all others. */
  readonly level: number;
  readonly message: string;
  /** The logger's own fields first, then those of the call. */
  readonly fields: LogFields;
}
