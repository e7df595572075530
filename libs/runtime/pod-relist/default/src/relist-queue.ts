import type { Clock, Timer } from '@podwright/time';

// At least 1 ms, so that the relist has a later clock time than the request: the caller waits for an observation newer
// than the end of its own work.
const relistDelayMs = 1;
// Relists take a tenth of the time at most, unless that would delay one by more than the longest pause.
const pausePerRelist = 10;
const longestPauseMs = 250;

/** Requests by pod UID, each with the newest time that a request has named. */
export type Requests = ReadonlyMap<string, number>;

/**
 * Gathers requests for relists of single pods. A single request waits a millisecond. The busier the runtime, the longer
 * a relist takes and the more requests arrive; then each pause is longer and gathers more of them.
 */
export class RelistQueue {
  private due = new Map<string, number>();
  private timer: Timer | undefined;
  private sentMs = Number.NEGATIVE_INFINITY;
  private pauseMs = 0;

  /** `relist` lists the pods and resolves when the runtime has answered; it never rejects. */
  constructor(
    private readonly clock: Clock,
    private readonly relist: (requests: Requests) => Promise<void>,
  ) {}

  get size(): number {
    return this.due.size;
  }

  has(podUid: string): boolean {
    return this.due.has(podUid);
  }

  add(podUid: string, requestedAtMs: number): void {
    this.due.set(podUid, Math.max(requestedAtMs, this.due.get(podUid) ?? Number.NEGATIVE_INFINITY));
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
    this.timer = this.clock.setTimer(Math.max(relistDelayMs, restMs), () => void this.send());
  }

  private async send(): Promise<void> {
    this.timer = undefined;
    const requests = this.due;
    this.due = new Map();
    const sentMs = (this.sentMs = this.clock.monotonic());
    // A relist that hangs must not hold up later ones.
    this.pauseMs = longestPauseMs;
    await this.relist(requests);
    if (sentMs !== this.sentMs) return;
    this.pauseMs = Math.min(longestPauseMs, pausePerRelist * (this.clock.monotonic() - sentMs));
    if (this.timer !== undefined) this.schedule();
  }
}
