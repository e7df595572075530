import { KubeletError } from '@podwright/errors';
import { abortReason, onAbort } from '@podwright/time';

export interface AsyncQueueOptions {
  /** The most values in the queue. */
  readonly capacity: number;
  /** What `push` does when the queue is full: refuse the new value, or drop the oldest one. Default `reject`. */
  readonly whenFull?: 'reject' | 'drop-oldest';
}

interface Taker<T> {
  resolve(result: IteratorResult<T, undefined>): void;
  reject(error: unknown): void;
}

/** A bounded queue of values, read by `for await` or `next`. Each value goes to one of the readers. */
export class AsyncQueue<T> implements AsyncIterable<T> {
  private readonly values: T[] = [];
  private readonly takers = new Set<Taker<T>>();
  private ending: { readonly error: unknown } | undefined;

  constructor(private readonly options: AsyncQueueOptions) {}

  get size(): number {
    return this.values.length;
  }

  get closed(): boolean {
    return this.ending !== undefined;
  }

  /** Adds a value; false when the queue refuses it because it is full or closed. */
  push(value: T): boolean {
    if (this.ending !== undefined) return false;
    const [taker] = this.takers;
    if (taker !== undefined) {
      this.takers.delete(taker);
      taker.resolve({ done: false, value });
      return true;
    }
    if (this.values.length >= this.options.capacity) {
      if (this.options.whenFull !== 'drop-oldest') return false;
      this.values.shift();
    }
    this.values.push(value);
    return true;
  }

  /** Closes the queue. Readers still get the values in it; then they end, or fail with `error`. */
  close(error?: unknown): void {
    if (this.ending !== undefined) return;
    this.ending = { error };
    for (const taker of this.takers) this.end(taker);
    this.takers.clear();
  }

  /** Waits for the next value. Rejects with the signal's reason when it aborts. */
  next(signal?: AbortSignal): Promise<IteratorResult<T, undefined>> {
    return new Promise((resolve, reject) => {
      if (signal?.aborted === true) return reject(abortReason(signal));
      if (this.values.length > 0) return resolve({ done: false, value: this.values.shift() as T });
      let unsubscribe = (): void => undefined;
      const settled = <A>(settle: (argument: A) => void) => {
        return (argument: A): void => {
          unsubscribe();
          settle(argument);
        };
      };
      const taker: Taker<T> = { resolve: settled(resolve), reject: settled(reject) };
      if (this.ending !== undefined) return this.end(taker);
      unsubscribe = onAbort(signal, () => {
        this.takers.delete(taker);
        reject(abortReason(signal as AbortSignal));
      });
      this.takers.add(taker);
    });
  }

  [Symbol.asyncIterator](): AsyncIterator<T, undefined> {
    return { next: () => this.next() };
  }

  private end(taker: Taker<T>): void {
    if (this.ending?.error === undefined) taker.resolve({ done: true, value: undefined });
    else taker.reject(KubeletError.from(this.ending.error));
  }
}
