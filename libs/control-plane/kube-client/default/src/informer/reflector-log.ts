import { messageOf } from '@podwright/errors';
import type { Logger } from '@podwright/logging';
import { isUnreachable } from '../request/call-error.js';

/** What a reflector says: each trouble once, not per try, and its end. */
export class ReflectorLog {
  private trouble: string | undefined;
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

  /** A server that cannot be reached is the client's to say, once for all informers. */
  failed(message: string, error: unknown): void {
    this.failure = error;
    const trouble = messageOf(error);
    if (trouble === this.trouble || isUnreachable(error)) {
      this.debug(2, message, { error });
    } else {
      this.trouble = trouble;
      this.logger.error(`${message}; it is tried again`, { ...this.fields, error });
    }
  }

  /** The watch works. */
  works(): void {
    this.failure = undefined;
    if (this.trouble === undefined) return;
    this.trouble = undefined;
    this.logger.info('The watch works again', this.fields);
  }
}
