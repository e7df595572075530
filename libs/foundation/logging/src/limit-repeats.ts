import type { Clock } from '@podwright/time';
import { objectKey, objectName } from './field-value.js';
import type { LogFields, Logger } from './logger.js';

const mostRemembered = 1000;

interface Said {
  readonly atMs: number;
  suppressed: number;
}

/**
 * A logger that writes a message at most once per period for the same severity, logger, pod and `key` field; other
 * fields, such as the error, may differ. The next line after suppressed ones has their number in `repeated`.
 */
export function limitRepeats(logger: Logger, clock: Pick<Clock, 'monotonic'>, periodMs = 60_000): Logger {
  return limited(logger, {}, new Map(), clock, periodMs);
}

function limited(
  logger: Logger,
  own: LogFields,
  said: Map<string, Said>,
  clock: Pick<Clock, 'monotonic'>,
  periodMs: number,
): Logger {
  const once = (
    severity: string,
    message: string,
    fields: LogFields | undefined,
    write: (fields?: LogFields) => void,
  ): void => {
    const identity = identityOf(severity, message, { ...own, ...fields });
    const now = clock.monotonic();
    const last = said.get(identity);
    if (last !== undefined && now - last.atMs < periodMs) {
      last.suppressed++;
      return;
    }
    said.delete(identity);
    said.set(identity, { atMs: now, suppressed: 0 });
    if (said.size > mostRemembered) said.delete(said.keys().next().value as string);
    write(last === undefined || last.suppressed === 0 ? fields : { ...fields, repeated: last.suppressed });
  };
  return {
    error: (message, fields) => once('error', message, fields, (all) => logger.error(message, all)),
    warn: (message, fields) => once('warning', message, fields, (all) => logger.warn(message, all)),
    info: (message, fields) => once('info', message, fields, (all) => logger.info(message, all)),
    debug: (level, message, fields) => {
      if (logger.enabled(level)) once('debug', message, fields, (all) => logger.debug(level, message, all));
    },
    enabled: (level) => logger.enabled(level),
    with: (fields) => limited(logger.with(fields), { ...own, ...fields }, said, clock, periodMs),
  };
}

function identityOf(severity: string, message: string, fields: LogFields): string {
  return JSON.stringify([severity, message, ...['logger', 'pod', 'key'].map((name) => identityPart(fields[name]))]);
}

function identityPart(value: unknown): string {
  const name = objectName(value);
  if (name !== undefined) return objectKey(name);
  return typeof value === 'string' || typeof value === 'number' ? String(value) : '';
}
