import type { Clock } from './clock.js';

export interface BackOffOptions {
  readonly clock: Clock;
  readonly initialMs: number;
  readonly maxMs: number;
  /**
   * The delay starts again at `initialMs` when an event comes later than this after the last update. Default 2 x maxMs.
   */
  readonly resetAfterMs?: number;
  /** The most keys to keep; beyond that the least recently updated key is dropped. Default 10000. */
  readonly maxKeys?: number;
}

/** The state of one key; `updatedAtMs` is wall-clock milliseconds. */
export interface BackOffState {
  readonly delayMs: number;
  readonly updatedAtMs: number;
}

/**
 * A growing delay per key: the first `next` sets the initial delay, each further `next` doubles it up to the maximum.
 * Event times are wall-clock milliseconds; for a container, the time at which it finished according to the runtime.
 * Source: kubernetes v1.36 client-go/util/flowcontrol/backoff.go.
 */
export class BackOff {
  private readonly states = new Map<string, BackOffState>();
  private readonly clock: Clock;
  private readonly initialMs: number;
  private readonly maxMs: number;
  private readonly resetAfterMs: number;
  private readonly maxKeys: number;

  constructor(options: BackOffOptions) {
    this.clock = options.clock;
    this.maxMs = options.maxMs;
    // A maximum below the initial delay wins, as for crashLoopBackOff.maxContainerRestartPeriod.
    this.initialMs = Math.min(options.initialMs, options.maxMs);
    this.resetAfterMs = options.resetAfterMs ?? 2 * options.maxMs;
    this.maxKeys = options.maxKeys ?? 10_000;
  }

  get size(): number {
    return this.states.size;
  }

  /** Current delay of the key in milliseconds; 0 for an unknown key. */
  get(key: string): number {
    return this.states.get(key)?.delayMs ?? 0;
  }

  /** Wall-clock time of the key's last `next` in milliseconds; undefined for an unknown key. */
  updatedAt(key: string): number | undefined {
    return this.states.get(key)?.updatedAtMs;
  }

  /** The key's state, to checkpoint over a restart of the process; undefined for an unknown key. */
  state(key: string): BackOffState | undefined {
    return this.states.get(key);
  }

  /**
   * Restores the state that an earlier process saved for the key. Does nothing when the key is known already or the
   * state has expired. Lowers a delay above the maximum to the maximum.
   */
  restore(key: string, { delayMs, updatedAtMs }: BackOffState): void {
    const state = { delayMs: Math.min(delayMs, this.maxMs), updatedAtMs };
    if (this.states.has(key) || this.expired(state, this.clock.now())) return;
    this.put(key, state);
  }

  /**
   * Increases the key's delay; resets it to the initial delay when the event came more than `resetAfterMs` after the
   * last update.
   */
  next(key: string, eventTimeMs: number = this.clock.now()): void {
    const state = this.states.get(key);
    const delayMs =
      state === undefined || this.expired(state, eventTimeMs)
        ? this.initialMs
        : Math.min(state.delayMs * 2, this.maxMs);
    this.put(key, { delayMs, updatedAtMs: this.clock.now() });
  }

  /**
   * True while less than the delay has passed since the event. An event further in the future does not
   * count: the wall clock was set back.
   */
  isInBackOffSince(key: string, eventTimeMs: number): boolean {
    const state = this.states.get(key);
    if (state === undefined || this.expired(state, eventTimeMs)) return false;
    return isWithin(state.delayMs, this.clock.now() - eventTimeMs);
  }

  /** True when the event (default: now) came before the delay had passed since the last `next`; see above for the clock. */
  isInBackOffSinceUpdate(key: string, eventTimeMs: number = this.clock.now()): boolean {
    const state = this.states.get(key);
    if (state === undefined || this.expired(state, eventTimeMs)) return false;
    return isWithin(state.delayMs, eventTimeMs - state.updatedAtMs);
  }

  reset(key: string): void {
    this.states.delete(key);
  }

  /** Drops the keys whose last update is more than `resetAfterMs` ago. Call it from time to time. */
  gc(): void {
    const now = this.clock.now();
    for (const [key, state] of this.states) if (this.expired(state, now)) this.states.delete(key);
  }

  private put(key: string, state: BackOffState): void {
    // Deleting first keeps the map in the order of updates.
    this.states.delete(key);
    this.states.set(key, state);
    if (this.states.size > this.maxKeys) this.states.delete(this.states.keys().next().value as string);
  }

  private expired(state: BackOffState, eventTimeMs: number): boolean {
    return eventTimeMs - state.updatedAtMs > this.resetAfterMs;
  }
}

// An event in the future means that the wall clock was set back. Nobody knows how long ago it was, and waiting until the
// clock is there again could take hours. So the wait is twice the delay at most, and never none for a clock that is a little ahead.
const isWithin = (delayMs: number, passedMs: number): boolean => Math.abs(passedMs) < delayMs;
