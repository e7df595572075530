import { abortable } from '@podwright/concurrency';
import { KubeletError } from '@podwright/errors';
import type { Clock, Timer } from '@podwright/time';

interface Running<T> {
  readonly result: Promise<T>;
  readonly startedAt: number;
  readonly abort: AbortController;
  waiting: number;
}

/** Shares one reading among concurrent callers and caches it. Aborts a reading when no caller waits for it any more. */
export class SharedReading<T> {
  private running: Running<T> | undefined;
  private kept: { readonly value: T; readonly startedAt: number } | undefined;
  private expiry: Timer | undefined;
  private stopped = false;

  /** Keeps a value for only `keepMs`, because it may be large. */
  constructor(
    private readonly clock: Clock,
    private readonly keepMs: number,
    private readonly read: (maxAgeMs: number, signal: AbortSignal) => Promise<T>,
  ) {}

  /** Returns a reading that started at most `maxAgeMs` ago; with 0, one that starts after this call. */
  async get(maxAgeMs: number, signal?: AbortSignal): Promise<T> {
    signal?.throwIfAborted();
    const askedAt = this.clock.monotonic();
    const isFresh = (startedAt: number): boolean => askedAt - startedAt < maxAgeMs;
    for (;;) {
      if (this.kept !== undefined && isFresh(this.kept.startedAt)) return this.kept.value;
      const running = this.running ?? this.begin(maxAgeMs);
      const isFor = running.startedAt >= askedAt || isFresh(running.startedAt);
      try {
        const value = await this.join(running, signal);
        if (isFor) return value;
      } catch (error) {
        // An older reading that failed must not fail this caller: read again.
        if (isFor || signal?.aborted === true || this.stopped) throw error;
      }
    }
  }

  /** Resolves when no reading is in progress. */
  async stop(): Promise<void> {
    this.stopped = true;
    this.expiry?.cancel();
    this.kept = undefined;
    const { running } = this;
    running?.abort.abort(new KubeletError('stats are stopping', { code: 'cancelled' }));
    await running?.result.catch(() => undefined);
  }

  private begin(maxAgeMs: number): Running<T> {
    if (this.stopped) throw new KubeletError('stats are stopped', { code: 'cancelled' });
    const abort = new AbortController();
    const startedAt = this.clock.monotonic();
    const result = this.read(maxAgeMs, abort.signal);
    const running: Running<T> = { result, startedAt, abort, waiting: 0 };
    this.running = running;
    const done = (value?: T): void => {
      if (this.running === running) this.running = undefined;
      if (value !== undefined && !this.stopped) this.keep(value, startedAt);
    };
    result.then(done, () => done());
    return running;
  }

  private async join(running: Running<T>, signal: AbortSignal | undefined): Promise<T> {
    running.waiting++;
    try {
      return await (signal === undefined ? running.result : abortable(running.result, signal));
    } finally {
      if (--running.waiting === 0 && this.running === running) {
        this.running = undefined;
        running.abort.abort(new KubeletError('nobody waits for the stats any more', { code: 'cancelled' }));
      }
    }
  }

  private keep(value: T, startedAt: number): void {
    this.kept = { value, startedAt };
    this.expiry?.cancel();
    this.expiry = this.clock.setTimer(this.keepMs, () => (this.kept = undefined));
  }
}
