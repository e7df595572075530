import type { Clock } from '@podwright/time';

/** Timestamps in Unix nanoseconds that never repeat, so that they keep the order of events within one millisecond. */
export class NanosecondStamps {
  private last = 0n;

  constructor(private readonly clock: Clock) {}

  next(): bigint {
    const now = BigInt(Math.floor(this.clock.now())) * 1_000_000n;
    // When the wall clock is set back, so are the timestamps, as the kernel's are.
    this.last = now > this.last || this.last - now > 1_000_000_000n ? now : this.last + 1n;
    return this.last;
  }
}
