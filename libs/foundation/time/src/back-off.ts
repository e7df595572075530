import type { Clock } from './clock.js';

export interface BackOffOptions {
  readonly clock: Clock;
  readonly initialMs: number;
  readonly maxMs: number;
  /** An event later than this after the last update starts anew. Default 2 x maxMs. */
  readonly resetAfterMs?: number;
  /** Most keys kept; past it the one updated longest ago is forgotten. Default 10000. */
  readonly maxKeys?: number;
}

/** Where one key stands; `updatedAtMs` is wall-clock milliseconds. */
export interface BackOffState {
  readonly delayMs: number;
  readonly updatedAtMs: number;
}

/**
 * Growing delay per key: initial, then doubled by each `next` up to the maximum. Event times are wall-clock
 * milliseconds; for a container that is when it finished, as the runtime says.
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

  /** Wall-clock time of the last `next`; undefined for an unknown key. */
  updatedAt(key: string): number | undefined {
    return this.states.get(key)?.updatedAtMs;
  }

  /** All that is known of the key, to be kept over a restart of the process; undefined for an unknown key. */
  state(key: string): BackOffState | undefined {
    return this.states.get(key);
  }

  /**
   * Takes up what an earlier process knew of a key that this one does not know yet. A delay beyond the maximum is
   * lowered to it; a state that has run out is left alone.
   */
  restore(key: string, { delayMs, updatedAtMs }: BackOffState): void {
    const state = { delayMs: Math.min(delayMs, this.maxMs), updatedAtMs };
    if (this.states.has(key) || this.expired(state, this.clock.now())) return;
    this.put(key, state);
  }

  /** Advances the delay of the key, from anew when the event came long after the last update. */
  next(key: string, eventTimeMs: number = this.clock.now()): void {
    const state = this.states.get(key);
    const delayMs =
      state === undefined || this.expired(state, eventTimeMs)
        ? this.initialMs
        : Math.min(state.delayMs * 2, this.maxMs);
    this.put(key, { delayMs, updatedAtMs: this.clock.now() });
  }

  /** True while less than the delay has passed since the event. */
  isInBackOffSince(key: string, eventTimeMs: number): boolean {
    const state = this.states.get(key);
    if (state === undefined || this.expired(state, eventTimeMs)) return false;
    return this.clock.now() - eventTimeMs < state.delayMs;
  }

  /** True when the event (normally: now) came less than the delay after the last `next`. */
  isInBackOffSinceUpdate(key: string, eventTimeMs: number = this.clock.now()): boolean {
    const state = this.states.get(key);
    if (state === undefined || this.expired(state, eventTimeMs)) return false;
    return eventTimeMs - state.updatedAtMs < state.delayMs;
  }

  reset(key: string): void {
    this.states.delete(key);
  }

  /** Forgets keys that would start anew. Call it now and then. */
  gc(): void {
    const now = this.clock.now();
    for (const [key, state] of this.states) if (this.expired(state, now)) this.states.delete(key);
  }

  private put(key: string, state: BackOffState): void {
    // Deleted first so that the map stays in order of update.
    this.states.delete(key);
    this.states.set(key, state);
    if (this.states.size > this.maxKeys) this.states.delete(this.states.keys().next().value as string);
  }

  private expired(state: BackOffState, eventTimeMs: number): boolean {
    return eventTimeMs - state.updatedAtMs > this.resetAfterMs;
  }
}
