import type { Clock, Timer } from '@podwright/time';

// Long enough that a burst of files is read in few passes, short enough that nobody waits for it.
const quietMs = 15;
const mostDelayMs = 100;

/** Gathers bursts: fires once after the last of many touches, or at the latest 100 ms after the first. */
export class DebouncedSignal {
  private timer: { readonly handle: Timer; readonly firstAtMs: number } | undefined;

  constructor(
    private readonly clock: Clock,
    private readonly fire: () => void,
  ) {}

  touch(): void {
    const now = this.clock.monotonic();
    const firstAtMs = this.timer?.firstAtMs ?? now;
    this.timer?.handle.cancel();
    const delayMs = Math.max(0, Math.min(quietMs, firstAtMs + mostDelayMs - now));
    this.timer = { firstAtMs, handle: this.clock.setTimer(delayMs, () => this.run()) };
  }

  cancel(): void {
    this.timer?.handle.cancel();
    this.timer = undefined;
  }

  private run(): void {
    this.timer = undefined;
    this.fire();
  }
}
