import { messageOf } from '@podwright/errors';
import type { Logger } from '@podwright/logging';
import { isUnreachable } from '../request/call-error.js';

/** Logs each failure of a reflector once, and when it is over. */
export class ReflectorLog {
  private logged: string | undefined;
  private failure: unknown;

  constructor(
    private readonly logger: Logger,
    private readonly fields: { readonly reflector: string; readonly type: string },
  ) {}

  /** The last failure since the watch worked. */
  get lastFailure(): unknown {
    return this.failure;
  }

  debug(level: number, message: string, fields: Readonly<Record<string, unknown>> = {}): void {
    if (this.logger.enabled(level)) this.logger.debug(level, message, { ...this.fields, ...fields });
  }

  warn(message: string, fields: Readonly<Record<string, unknown>>): void {
    this.logger.warn(message, { ...this.fields, ...fields });
  }

  /** Leaves an unreachable server to the client, which logs it once for all informers. */
  failed(message: string, error: unknown): void {
    this.failure = error;
    const text = messageOf(error);
    if (text === this.logged || isUnreachable(error)) {
      this.debug(2, message, { error });
    } else {
      this.logged = text;
      this.logger.error(`${message}; it is tried again`, { ...this.fields, error });
    }
  }

  /** Call it when the watch works. */
  works(): void {
    this.failure = undefined;
    if (this.logged === undefined) return;
    this.logged = undefined;
    this.logger.info('The watch works again', this.fields);
  }
}
