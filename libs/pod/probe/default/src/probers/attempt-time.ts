import { yieldToEventLoop, type Clock, type Timer } from '@podwright/time';

// A shorter stall may go unnoticed. The loop still turns ten times a second then, and a probe needs three turns.
const sliceMs = 100;
// Timers are always a little late; that is no stall.
const usualDelayMs = 20;

/**
 * The time limit of one attempt. Counts only time in which our event loop ran: it measures in slices, and a slice that
 * ends late shows that the loop was blocked, so that answers may wait unread in the kernel and requests unsent. Adds
 * the excess to `stalledMs` instead of counting it against the container.
 */
export class AttemptTime {
  private spentMs = 0;
  private stalled = 0;
  private slice: { readonly timer: Timer; readonly begunAt: number; readonly ms: number } | undefined;
  private run = 0;
  private ended = false;

  constructor(
    private readonly clock: Clock,
    readonly limitMs: number,
  ) {}

  /** How long the event loop was blocked during the attempt, as far as it was noticed. */
  get stalledMs(): number {
    return this.stalled;
  }

  /** The remaining time, without what the current slice has used. */
  get remainingMs(): number {
    return Math.max(0, this.limitMs - this.spentMs);
  }

  /** Calls `onExpired` when the limit is used up, unless `pause()` or `end()` is called before. */
  start(onExpired: () => void): void {
    if (this.ended) return;
    this.pause();
    this.nextSlice(onExpired);
  }

  /** Stops the clock between two steps of the attempt; `start` continues with the remaining time. */
  pause(): void {
    if (this.slice !== undefined) {
      this.slice.timer.cancel();
      this.spentMs += Math.min(this.slice.ms, this.clock.monotonic() - this.slice.begunAt);
    }
    this.slice = undefined;
    this.run += 1;
  }

  /** Ends the attempt. May be called twice. */
  end(): void {
    this.ended = true;
    this.pause();
  }

  private nextSlice(onExpired: () => void): void {
    const { run } = this;
    const begunAt = this.clock.monotonic();
    const ms = Math.min(sliceMs, this.remainingMs);
    const timer = this.clock.setTimer(ms, () => {
      const lateMs = this.clock.monotonic() - begunAt - ms;
      if (lateMs > usualDelayMs) this.stalled += lateMs;
      this.spentMs += ms;
      this.slice = undefined;
      if (this.remainingMs > 0) this.nextSlice(onExpired);
      else void this.expire(run, onExpired);
    });
    this.slice = { timer, begunAt, ms };
  }

  // Timers run before sockets are read: an answer that came in time may still be unread.
  private async expire(run: number, onExpired: () => void): Promise<void> {
    await yieldToEventLoop();
    if (run === this.run) onExpired();
  }
}
