import type { Clock, Timer } from '@podwright/time';

// The least by which every clock shows a later time: whoever asks notes the end of its work just after asking, and waits for
// something seen later than that.
const lookDelayMs = 1;
// Looks take a tenth of the time at most, as long as that delays none of them by more than the longest pause.
const pausePerLook = 10;
const longestPauseMs = 250;

/** Requests by pod UID, each with the sequence number of the newest one. */
export type Requests = ReadonlyMap<string, number>;

/**
 * Requests for looks at pods that wait to be made together. A single one waits a millisecond. The busier the runtime, the
 * longer a look takes and the more requests come: then each pause is longer and gathers more of them.
 */
export class DueLooks {
  private due = new Map<string, number>();
  private timer: Timer | undefined;
  private sentMs = Number.NEGATIVE_INFINITY;
  private pauseMs = 0;

  /** `look` makes the looks and resolves when they are answered; it never rejects. */
  constructor(
    private readonly clock: Clock,
    private readonly look: (requests: Requests) => Promise<void>,
  ) {}

  get size(): number {
    return this.due.size;
  }

  has(podUid: string): boolean {
    return this.due.has(podUid);
  }

  add(podUid: string, sequence: number): void {
    this.due.set(podUid, sequence);
    if (this.timer === undefined) this.schedule();
  }

  clear(): void {
    this.timer?.cancel();
    this.timer = undefined;
    this.due.clear();
  }

  private schedule(): void {
    this.timer?.cancel();
    const restMs = this.sentMs + this.pauseMs - this.clock.monotonic();
    this.timer = this.clock.setTimer(Math.max(lookDelayMs, restMs), () => void this.send());
  }

  private async send(): Promise<void> {
    this.timer = undefined;
    const requests = this.due;
    this.due = new Map();
    const sentMs = (this.sentMs = this.clock.monotonic());
    // One that hangs must not hold up the others.
    this.pauseMs = longestPauseMs;
    await this.look(requests);
    if (sentMs !== this.sentMs) return;
    this.pauseMs = Math.min(longestPauseMs, pausePerLook * (this.clock.monotonic() - sentMs));
    if (this.timer !== undefined) this.schedule();
  }
}
