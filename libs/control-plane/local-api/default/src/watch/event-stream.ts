import { expired } from '@podwright/api-machinery';
import { AsyncQueue } from '@podwright/concurrency';

/** One event of a watch. */
export interface WatchEvent {
  readonly type: 'ADDED' | 'MODIFIED' | 'DELETED' | 'BOOKMARK' | 'ERROR';
  readonly object: unknown;
}

// More than wait for a client that reads at all: a list that is put, of at most 3 MiB, makes all of its events at once.
const mostWaiting = 1000;
const mostWaitingBytes = 8 * 1024 * 1024;

/**
 * The events of one watch, as lines: written when they happen, read as fast as the client takes them. For a client that
 * is too far behind it ends with the error of an expired watch: the client must begin anew.
 */
export class EventStream {
  private readonly waiting = new AsyncQueue<string>({ capacity: mostWaiting });
  private bytes = 0;
  private error: WatchEvent | undefined;

  constructor(private readonly write: (event: WatchEvent) => string) {}

  push(event: WatchEvent): void {
    if (this.waiting.closed) return;
    const line = this.write(event);
    this.bytes += line.length;
    if (this.bytes > mostWaitingBytes || !this.waiting.push(line))
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
  async *read(): AsyncGenerator<string> {
    for await (const line of this.waiting) {
      this.bytes -= line.length;
      yield line;
    }
    if (this.error !== undefined) yield this.write(this.error);
  }
}
