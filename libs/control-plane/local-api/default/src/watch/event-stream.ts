import { expired } from '@podwright/api-machinery';
import { AsyncQueue } from '@podwright/concurrency';

/** One event of a watch. */
export interface WatchEvent {
  readonly type: 'ADDED' | 'MODIFIED' | 'DELETED' | 'BOOKMARK' | 'ERROR';
  readonly object: unknown;
}

// More than wait for a client that reads at all. Each holds an object that others hold too.
const mostWaiting = 1000;

/**
 * The events of one watch: written when they happen, read as fast as the client takes them. For a client that is too far
 * behind it ends with the error of an expired watch: the client must begin anew.
 */
export class EventStream {
  private readonly waiting = new AsyncQueue<WatchEvent>({ capacity: mostWaiting });
  private error: WatchEvent | undefined;

  push(event: WatchEvent): void {
    if (!this.waiting.closed && !this.waiting.push(event))
      this.expire('too many changes wait for the client of the watch');
  }

  /** Ends with the error of an expired watch, after what waits. */
  expire(message: string): void {
    this.error ??= { type: 'ERROR', object: expired(message).status() };
    this.end();
  }

  /** Ends after what waits. */
  end(): void {
    this.waiting.close();
  }

  /** For one reader. */
  async *read(): AsyncGenerator<WatchEvent> {
    yield* this.waiting;
    if (this.error !== undefined) yield this.error;
  }
}
