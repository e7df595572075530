import type { LogEntry, Severity } from './log-entry.js';
import type { LogFields, Logger } from './logger.js';

/** A logger for tests that keeps its entries. Loggers made by `with` share them. */
export interface MemoryLogger extends Logger {
  /** The last 10000 entries, oldest first. */
  readonly entries: readonly Omit<LogEntry, 'timeMs'>[];
  /** The messages of one severity, or of all. */
  messages(severity?: Severity): readonly string[];
  clear(): void;
}

const mostEntries = 10_000;

/** Makes a logger for tests. `verbosity`: the highest level of `debug` to keep, by default all. */
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
