import type { Logger } from '@podwright/logging';

/**
 * A node's logger without the lines of ordinary work, which a thousand nodes would write a thousand times, and without
 * any while `isQuiet`: what a node complains of while it fails as planned is no news.
 */
export const nodeLog = (logger: Logger, isQuiet: () => boolean): Logger => ({
  error: (...line) => {
    if (!isQuiet()) logger.error(...line);
  },
  warn: (...line) => {
    if (!isQuiet()) logger.warn(...line);
  },
  info: () => undefined,
  debug: () => undefined,
  enabled: () => false,
  with: (fields) => nodeLog(logger.with(fields), isQuiet),
});
