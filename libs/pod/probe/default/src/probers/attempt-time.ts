import { yieldToEventLoop, type Clock, type Timer } from '@podwright/time';

// A stall shorter than this may go unseen. The loop still turns ten times a second then, and a probe needs three turns.
const sliceMs = 100;
// Timers are always a little late; that is no stall.
const usualDelayMs = 20;

/**
 * The time limit of one attempt, counting only time in which our own event loop kept up. It is spent in slices; one that
 * ends late tells that the loop stood still, so that answers may lie unread in the kernel and requests unsent. The excess
 * is added up in `stalledMs` instead of being held against the container.
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

  /** How long the event loop was held up while the time ran, as far as it was noticed. */
  get stalledMs(): number {
    return this.stalled;
  }

  /** What is left, without what the slice that runs has used. */
  get remainingMs(): number {
    return Math.max(0, this.limitMs - this.spentMs);
  }

  /** Calls `onExpired` once the limit is used up, unless `pause()` or `end()` comes before. */
  start(onExpired: () => void): void {
    if (this.ended) return;
    this.pause();
    this.nextSlice(onExpired);
  }

  /** One step of the attempt is done; `start` goes on with what is left. */
  pause(): void {
    if (this.slice !== undefined) {
      this.slice.timer.cancel();
      this.spentMs += Math.min(this.slice.ms, this.clock.monotonic() - this.slice.begunAt);
    }
    this.slice = undefined;
    this.run += 1;
  }

  /** The attempt is over. May come twice. */
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

  // Timers run before sockets are read: an answer that came in time may still wait for its turn.
  private async expire(run: number, onExpired: () => void): Promise<void> {
    await yieldToEventLoop();
    if (run === this.run) onExpired();
  }
}
