import { KubeletError } from '@podwright/errors';
import { abortReason, onAbort, OrderedQueue } from '@podwright/time';

export interface GateOptions {
  /** How many tasks may run at the same time; a whole number >= 1. */
  readonly places: number;
  /** The most waiting callers; the gate rejects further ones with `resource-exhausted`. Default 10000. */
  readonly maxWaiting?: number;
}

export interface EnterOptions {
  /** A higher priority goes first; equal ones in order of arrival. Default 0. */
  readonly priority?: number;
  /** Ends the wait. It does not affect work that has begun. */
  readonly signal?: AbortSignal;
}

export interface GateStats {
  readonly places: number;
  readonly running: number;
  readonly waiting: number;
}

/** Limits how many tasks run at the same time; the others wait. */
export class Gate {
  private readonly waiters = new OrderedQueue<() => void>();
  private readonly maxWaiting: number;
  private places: number;
  private running = 0;

  constructor(options: GateOptions) {
    this.places = checkedPlaces(options.places);
    this.maxWaiting = options.maxWaiting ?? 10_000;
  }

  /** Waits for a free place and runs `task`. Rejects with the signal's reason when it aborts before. */
  async run<T>(task: () => Promise<T> | T, options: EnterOptions = {}): Promise<T> {
    const leave = await this.enter(options);
    try {
      return await task();
    } finally {
      leave();
    }
  }

  /**
   * Waits for a free place and returns a function that frees it (may be called twice). For work that is no single
   * promise.
   */
  enter(options: EnterOptions = {}): Promise<() => void> {
    const { signal, priority = 0 } = options;
    if (signal?.aborted === true) return Promise.reject(abortReason(signal));
    if (this.running < this.places && this.waiters.size === 0) return Promise.resolve(this.occupy());
    if (this.waiters.size >= this.maxWaiting) {
      const message = `${this.waiters.size} callers are waiting for ${this.places} places`;
      return Promise.reject(new KubeletError(message, { code: 'resource-exhausted' }));
    }
    return new Promise((resolve, reject) => {
      const entry = this.waiters.add(-priority, () => {
        unsubscribe();
        resolve(this.occupy());
      });
      const unsubscribe = onAbort(signal, () => {
        this.waiters.remove(entry);
        reject(abortReason(signal as AbortSignal));
      });
    });
  }

  /** Changes the number of places. Running tasks keep theirs, so a lower number takes effect as they end. */
  resize(places: number): void {
    this.places = checkedPlaces(places);
    this.admit();
  }

  stats(): GateStats {
    return { places: this.places, running: this.running, waiting: this.waiters.size };
  }

  private occupy(): () => void {
    this.running++;
    let inside = true;
    return () => {
      if (!inside) return;
      inside = false;
      this.running--;
      this.admit();
    };
  }

  private admit(): void {
    while (this.running < this.places) {
      const next = this.waiters.take();
      if (next === undefined) return;
      next.value();
    }
  }
}

function checkedPlaces(places: number): number {
  if (Number.isSafeInteger(places) && places >= 1) return places;
  throw new KubeletError(`places must be a whole number >= 1, not ${places}`, { code: 'invalid-argument' });
}
