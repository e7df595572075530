import type { LogFields, Logger } from '@podwright/logging';
import type { Clock } from '@podwright/time';

/** Of lines with one message, so many pass in each period. */
const mostLines = 5;
const periodMs = 10_000;
/** More kinds of messages than the kubelet has. */
const mostKinds = 1_000;

interface Heard {
  sinceMs: number;
  lines: number;
  leftOut: number;
}

/**
 * A logger for what many nodes say at the same time, such as that the API server is away: a few lines of each message
 * pass, and a later one has the number of those that were left out, as `leftOut`.
 */
export function calmLog(logger: Logger, clock: Clock): Logger {
  return calm(logger, clock, new Map());
}

function calm(logger: Logger, clock: Clock, heard: Map<string, Heard>): Logger {
  const say = (level: 'error' | 'warn', message: string, fields?: LogFields): void => {
    const leftOut = leftOutBefore(message, clock, heard);
    if (leftOut !== undefined) logger[level](message, leftOut === 0 ? fields : { ...fields, leftOut });
  };
  return {
    error: (message, fields) => say('error', message, fields),
    warn: (message, fields) => say('warn', message, fields),
    info: (message, fields) => logger.info(message, fields),
    debug: (level, message, fields) => logger.debug(level, message, fields),
    enabled: (level) => logger.enabled(level),
    with: (fields) => calm(logger.with(fields), clock, heard),
  };
}

/** How many lines were left out before this one; undefined: it is left out too. */
function leftOutBefore(message: string, clock: Clock, heard: Map<string, Heard>): number | undefined {
  const nowMs = clock.monotonic();
  // Names in a message are no other message.
  const kind = message.replace(/"[^"]*"?/g, '').slice(0, 80);
  const before = heard.get(kind);
  if (before !== undefined && nowMs - before.sinceMs < periodMs) {
    before.lines++;
    if (before.lines <= mostLines) return 0;
    before.leftOut++;
    return undefined;
  }
  if (heard.size >= mostKinds) heard.clear();
  heard.set(kind, { sinceMs: nowMs, lines: 1, leftOut: 0 });
  return before?.leftOut ?? 0;
}
