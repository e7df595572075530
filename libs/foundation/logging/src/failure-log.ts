import type { Clock } from '@podwright/time';
import type { LogFields, Logger } from './logger.js';

export interface FailureLogOptions {
  /** A failure that continues is logged again after this time, in milliseconds. Default 600000. */
  readonly remindMs?: number;
}

/**
 * Logs the failures of work that is retried, without flooding the log: the first failure of each kind, a reminder every
 * `remindMs`, and the recovery. All other failures are logged at verbosity 2.
 */
export class FailureLog {
  private readonly remindMs: number;
  private readonly said = new Map<string, number>();
  private since: number | undefined;
  private failures = 0;

  constructor(
    private readonly logger: Logger,
    private readonly clock: Pick<Clock, 'monotonic'>,
    { remindMs = 600_000 }: FailureLogOptions = {},
  ) {
    this.remindMs = remindMs;
  }

  /** Logs a failure. `kind` identifies it, such as an error code; it must not differ from retry to retry. */
  failed(kind: string, message: string, fields?: LogFields): void {
    const now = this.clock.monotonic();
    this.since ??= now;
    this.failures++;
    const saidAt = this.said.get(kind);
    if (saidAt !== undefined && now - saidAt < this.remindMs) {
      this.logger.debug(2, message, fields);
      return;
    }
    this.said.set(kind, now);
    this.logger.error(message, saidAt === undefined ? fields : { ...fields, failures: this.failures });
  }

  /** Logs that the work succeeds again, with the number and duration of the failures; nothing when there were none. */
  over(message: string, fields?: LogFields): void {
    if (this.since === undefined) return;
    const lastedMs = Math.round(this.clock.monotonic() - this.since);
    this.logger.info(message, { ...fields, failures: this.failures, lastedMs });
    this.since = undefined;
    this.failures = 0;
    this.said.clear();
  }
}
