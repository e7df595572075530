/** Structured values of one line. Errors are rendered with their cause chain, pods as `namespace/name`. */
export type LogFields = Readonly<Record<string, unknown>>;

/** Structured logger. Methods never throw and never block on the sink. */
export interface Logger {
  error(message: string, fields?: LogFields): void;
  warn(message: string, fields?: LogFields): void;
  info(message: string, fields?: LogFields): void;
  /** Written only when the verbosity (flag `-v`) is at least `level`, as klog's V(level). */
  debug(level: number, message: string, fields?: LogFields): void;
  /** True when `debug(level, ...)` would write; to save the making of expensive fields. */
  enabled(level: number): boolean;
  /** A logger that adds `fields` to each line; `logger` names the component. */
  with(fields: LogFields): Logger;
}
