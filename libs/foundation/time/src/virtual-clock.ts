import { KubeletError } from '@podwright/errors';
import { BaseClock, checkedDelay } from './base-clock.js';
import type { Timer } from './clock.js';
import { OrderedQueue } from './ordered-queue.js';
import { watchFileOperations } from './file-operations.js';
import { settleEventLoop } from './settle.js';

export interface VirtualClockOptions {
  /** Wall-clock time at the start, milliseconds since 1970. Default 2026-01-01T00:00:00Z. */
  readonly startMs?: number;
  /** Waits between two timers until the program is idle. Default {@link settleEventLoop}. */
  readonly settle?: () => Promise<void>;
  /**
   * Draws a number for each new timer: of timers at one instant, the smallest runs first. Default: always 0, so they run
   * in the order in which they were set.
   */
  readonly rank?: () => number;
}

// More timers than this at one instant are an endless loop.
const mostTimersAtOnce = 100_000;

/**
 * A clock that stands still until `advance` or `runUntil` moves it. They run the due timers one by one, by time,
 * rank and creation, each at its own instant, and let promises settle after each.
 */
export class VirtualClock extends BaseClock {
  private readonly timers = new OrderedQueue<() => void>();
  private readonly settle: () => Promise<void>;
  private readonly rank: () => number;
  private wallOffsetMs: number;
  private elapsedMs = 0;
  private running = false;

  constructor(options: VirtualClockOptions = {}) {
    super();
    this.wallOffsetMs = options.startMs ?? Date.UTC(2026, 0, 1);
    watchFileOperations();
    this.settle = options.settle ?? settleEventLoop;
    this.rank = options.rank ?? (() => 0);
  }

  now(): number {
    return this.wallOffsetMs + this.elapsedMs;
  }

  monotonic(): number {
    return this.elapsedMs;
  }

  /** Number of timers and sleeps that are not due yet; 0 after everything has stopped cleanly. */
  get pendingTimers(): number {
    return this.timers.size;
  }

  setTimer(delayMs: number, callback: () => void): Timer {
    const entry = this.timers.add(this.elapsedMs + checkedDelay(delayMs), callback, this.rank());
    return { cancel: () => void this.timers.remove(entry) };
  }

  /** Sets the wall clock, as an administrator or NTP would. Timers and `monotonic()` do not change. */
  setWallClock(nowMs: number): void {
    this.wallOffsetMs = nowMs - this.elapsedMs;
  }

  /**
   * Advances time by `ms`. Rejects when a timer's callback throws, and with `failed-precondition` while another call
   * runs.
   */
  async advance(ms: number): Promise<void> {
    await this.exclusive(() => this.runTo(this.elapsedMs + checkedDelay(ms), () => false));
  }

  /**
   * Advances time, timer by timer, until `condition` is true; resolves to the milliseconds that took. Rejects with
   * `deadline-exceeded` when the condition is still false after `limitMs`.
   */
  async runUntil(condition: () => boolean | Promise<boolean>, limitMs: number): Promise<number> {
    const startedAt = this.elapsedMs;
    const met = await this.exclusive(() => this.runTo(startedAt + checkedDelay(limitMs), condition));
    if (met) return this.elapsedMs - startedAt;
    throw new KubeletError(`condition not met within ${limitMs} ms of virtual time`, { code: 'deadline-exceeded' });
  }

  private async runTo(target: number, condition: () => boolean | Promise<boolean>): Promise<boolean> {
    let atOnce = 0;
    await this.settle();
    while (!(await condition())) {
      const next = this.timers.peek();
      if (next === undefined || next.order > target) {
        this.elapsedMs = target;
        await this.settle();
        return await condition();
      }
      atOnce = next.order > this.elapsedMs ? 0 : atOnce + 1;
      if (atOnce > mostTimersAtOnce) {
        throw new KubeletError('timers keep coming due without time going on', { code: 'resource-exhausted' });
      }
      this.elapsedMs = next.order;
      this.timers.remove(next);
      next.value();
      await this.settle();
    }
    return true;
  }

  private async exclusive<T>(run: () => Promise<T>): Promise<T> {
    if (this.running) {
      throw new KubeletError('the virtual clock is being advanced already', { code: 'failed-precondition' });
    }
    this.running = true;
    try {
      return await run();
    } finally {
      this.running = false;
    }
  }
}
