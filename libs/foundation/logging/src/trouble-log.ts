import type { Clock } from '@podwright/time';
import type { LogFields, Logger } from './logger.js';

export interface TroubleLogOptions {
  /** The same trouble is said again after this, in milliseconds. Default 600000. */
  readonly remindMs?: number;
}

/**
 * Tells the story of work that is tried again and again: once that it fails, once more when it fails in another way, now and
 * then that it still does, and once that it is over. The tries in between are written at verbosity 2.
 */
export class TroubleLog {
  private readonly remindMs: number;
  private readonly said = new Map<string, number>();
  private since: number | undefined;
  private failures = 0;

  constructor(
    private readonly logger: Logger,
    private readonly clock: Pick<Clock, 'monotonic'>,
    { remindMs = 600_000 }: TroubleLogOptions = {},
  ) {
    this.remindMs = remindMs;
  }

  /** `kind` tells one way of failing from another: a code, not a text that differs from try to try. */
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

  /** Says so when there was trouble; else nothing. */
  over(message: string, fields?: LogFields): void {
    if (this.since === undefined) return;
    const lastedMs = Math.round(this.clock.monotonic() - this.since);
    this.logger.info(message, { ...fields, failures: this.failures, lastedMs });
    this.since = undefined;
    this.failures = 0;
    this.said.clear();
  }
}
