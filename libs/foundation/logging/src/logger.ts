/** The fields of one line. Errors are logged with their cause chain, pods and other objects as `namespace/name`. */
export type LogFields = Readonly<Record<string, unknown>>;

/** Structured logger. Methods never throw and never block on the sink. */
export interface Logger {
  error(message: string, fields?: LogFields): void;
  warn(message: string, fields?: LogFields): void;
  info(message: string, fields?: LogFields): void;
  /** Logs only when the verbosity (flag `-v`) is at least `level`, as klog's V(level). */
  debug(level: number, message: string, fields?: LogFields): void;
  /** True when `debug(level, ...)` would log; check it before computing expensive fields. */
  enabled(level: number): boolean;
  /** A logger that adds `fields` to each line; `logger` names the component. */
  with(fields: LogFields): Logger;
}
