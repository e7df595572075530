import type { Clock } from '@podwright/time';
import { describeError, stackOfBug } from './describe-error.js';
import { formatJson } from './format-json.js';
import { formatText } from './format-text.js';
import type { LogEntry, Severity } from './log-entry.js';
import type { LogFields, Logger } from './logger.js';
import { createStreamSink } from './stderr-sink.js';
import type { LogSink, SinkBuffer } from './stderr-sink.js';
import { Verbosity } from './verbosity.js';
import type { VerbosityRule } from './verbosity.js';

export interface LoggerOptions {
  readonly clock: Pick<Clock, 'now'>;
  /** Default `text`. */
  readonly format?: 'text' | 'json';
  /** The logger writes `debug(level)` lines up to this level. Default 0. */
  readonly verbosity?: number;
  /** Verbosity of single loggers, which overrides `verbosity`. */
  readonly vmodule?: readonly VerbosityRule[];
  /** Writes one line, passed without its newline; must not throw. Default: stderr, buffered. */
  readonly write?: (line: string) => void;
  /**
   * Writes lines that tell of no problem to stdout instead, and all others to stderr; not with `write`. In JSON, only
   * errors are problems. Source: kubernetes v1.36 component-base/logs/api/v1/text.go, logs/json/json.go.
   */
  readonly split?: { readonly infoBuffer?: SinkBuffer };
  /** File descriptors. Default: 1 and 2. */
  readonly descriptors?: { readonly stdout: number; readonly stderr: number };
  /**
   * Gate ContextualLogging: lines carry the fields of `with()`. False: only the logger's name, which stands where klog has
   * a file and line. Default true.
   */
  readonly contextual?: boolean;
  /** Default: this process. */
  readonly pid?: number;
  /** Name in the lines of loggers without a name. Default `kubelet`. */
  readonly component?: string;
}

/** The root logger of a process, with its controls. */
export interface RootLogger extends Logger {
  /** Changes the verbosity of all loggers made from this one, as a PUT to /debug/flags/v does. */
  setVerbosity(verbosity: number): void;
  /** Resolves when all lines so far are written; call it before exiting on purpose. */
  flush(): Promise<void>;
}

/** Makes the logger of a process, in the formats of `logging.format`. */
export function createLogger(options: LoggerOptions): RootLogger {
  const pid = options.pid ?? process.pid;
  const component = options.component ?? 'kubelet';
  const sinks = sinksOf(options);
  const format =
    options.format === 'json' ? formatJson : (entry: LogEntry): string => formatText(entry, { pid, component });
  const verbosity = new Verbosity(options.verbosity ?? 0, options.vmodule ?? []);
  const logger = new StructuredLogger(
    {
      now: () => options.clock.now(),
      format,
      write: (line, severity) => writeSafely(sinks[severity], line),
      verbosity,
      contextual: options.contextual ?? true,
    },
    {},
  );
  return Object.assign(logger, {
    setVerbosity: (level: number): void => void (verbosity.overall = level),
    flush: async () => void (await Promise.all(Object.values(sinks).map((sink) => sink.flush()))),
  });
}

/** Where the lines of each severity go. */
function sinksOf({ write, split, format, descriptors }: LoggerOptions): Readonly<Record<Severity, LogSink>> {
  const sink = write === undefined ? createStreamSink(descriptors?.stderr) : { write, flush: () => Promise.resolve() };
  if (split === undefined || write !== undefined) return { info: sink, warning: sink, error: sink };
  const info = createStreamSink(descriptors?.stdout ?? 1, split.infoBuffer);
  return { info, warning: format === 'json' ? info : sink, error: sink };
}

interface LoggerParts {
  readonly now: () => number;
  readonly format: (entry: LogEntry) => string;
  readonly write: (line: string, severity: Severity) => void;
  readonly verbosity: Verbosity;
  readonly contextual: boolean;
}

class StructuredLogger implements Logger {
  private readonly ruled: number | undefined;

  constructor(
    private readonly parts: LoggerParts,
    private readonly own: LogFields,
  ) {
    this.ruled = parts.verbosity.ruleFor(own['logger']);
  }

  error(message: string, fields?: LogFields): void {
    this.log('error', 0, message, fields);
  }
  warn(message: string, fields?: LogFields): void {
    this.log('warning', 0, message, fields);
  }
  info(message: string, fields?: LogFields): void {
    this.log('info', 0, message, fields);
  }
  debug(level: number, message: string, fields?: LogFields): void {
    if (this.enabled(level)) this.log('info', level, message, fields);
  }
  enabled(level: number): boolean {
    return level <= (this.ruled ?? this.parts.verbosity.overall);
  }
  with(fields: LogFields): Logger {
    const { logger } = fields;
    const kept = this.parts.contextual ? fields : logger === undefined ? {} : { logger };
    return new StructuredLogger(this.parts, { ...this.own, ...kept });
  }

  private log(severity: Severity, level: number, message: string, given?: LogFields): void {
    const timeMs = this.parts.now();
    const write = (fields: LogFields): void =>
      this.parts.write(this.parts.format({ timeMs, severity, level, message, fields }), severity);
    try {
      const fields = { ...this.own, ...given };
      const stack = severity === 'error' ? stackOfBug(fields['error']) : undefined;
      write(stack === undefined ? fields : { ...fields, stack });
    } catch (error) {
      // A field has a getter that throws; log the message anyway.
      write({ unprintable: describeError(error) });
    }
  }
}

/** Ignores errors of the sink: the caller cannot repair it, and has other work to do. */
function writeSafely(sink: LogSink, line: string): void {
  try {
    sink.write(line);
  } catch {
    return;
  }
}
