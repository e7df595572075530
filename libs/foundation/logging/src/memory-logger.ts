import type { LogEntry, Severity } from './log-entry.js';
import type { LogFields, Logger } from './logger.js';

/** For tests: keeps what was logged. `with` gives loggers that write to the same list. */
export interface MemoryLogger extends Logger {
  /** In order; the oldest are dropped past 10000. */
  readonly entries: readonly Omit<LogEntry, 'timeMs'>[];
  /** Messages, of one severity or of all. */
  messages(severity?: Severity): readonly string[];
  clear(): void;
}

const mostEntries = 10_000;

/** `verbosity`: highest level of `debug` kept, default all. */
export function createMemoryLogger(verbosity: number = Number.MAX_SAFE_INTEGER): MemoryLogger {
  const entries: Omit<LogEntry, 'timeMs'>[] = [];
  const make = (own: LogFields): Logger => {
    const add = (severity: Severity, level: number, message: string, fields?: LogFields): void => {
      entries.push({ severity, level, message, fields: { ...own, ...fields } });
      if (entries.length > mostEntries) entries.shift();
    };
    return {
      error: (message, fields) => add('error', 0, message, fields),
      warn: (message, fields) => add('warning', 0, message, fields),
      info: (message, fields) => add('info', 0, message, fields),
      debug: (level, message, fields) => {
        if (level <= verbosity) add('info', level, message, fields);
      },
      enabled: (level) => level <= verbosity,
      with: (fields) => make({ ...own, ...fields }),
    };
  };
  return Object.assign(make({}), {
    entries,
    messages: (severity?: Severity) =>
      entries.filter((entry) => severity === undefined || entry.severity === severity).map((entry) => entry.message),
    clear: () => void entries.splice(0),
  });
}
