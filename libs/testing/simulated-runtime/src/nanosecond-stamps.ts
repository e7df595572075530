import type { Clock } from '@podwright/time';

/** Unix nanoseconds that never repeat, so that the order of things made in one millisecond can be told. */
export class NanosecondStamps {
  private last = 0n;

  constructor(private readonly clock: Clock) {}

  next(): bigint {
    const now = BigInt(Math.floor(this.clock.now())) * 1_000_000n;
    // After a wall clock set back the stamps go back too, as the kernel's do.
    this.last = now > this.last || this.last - now > 1_000_000_000n ? now : this.last + 1n;
    return this.last;
  }
}
