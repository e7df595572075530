import type { Clock } from '@podwright/time';

const batchSize = 10;
const batchMs = 5;

/**
 * Spreads attempts that are due at the same moment, as after a stall of the event loop: ten every five milliseconds, so
 * that other work runs in between. 2000 attempts a second are no limit in practice.
 */
export class AttemptPacer {
  private batchAt = Number.NEGATIVE_INFINITY;
  private begun = 0;

  constructor(private readonly clock: Clock) {}

  /** Resolves when an attempt may begin, usually at once; rejects with the signal. */
  async turn(signal: AbortSignal): Promise<void> {
    const now = this.clock.monotonic();
    if (now >= this.batchAt + batchMs) {
      this.batchAt = now;
      this.begun = 0;
    } else if (this.begun >= batchSize) {
      this.batchAt += batchMs;
      this.begun = 0;
    }
    this.begun += 1;
    if (this.batchAt > now) await this.clock.sleep(this.batchAt - now, signal);
  }
}
