import type { Clock, Timer } from './clock.js';

export interface DebounceTimes {
  /** `fire` runs when no touch has come for this long. */
  readonly quietMs: number;
  /** `fire` runs at the latest this long after the first touch. */
  readonly mostMs: number;
}

/**
 * Turns a burst of `touch` calls into one call of `fire`: after `quietMs` without a touch, at most `mostMs` after the
 * first.
 */
export class DebouncedSignal {
  private timer: { readonly handle: Timer; readonly firstAtMs: number } | undefined;

  constructor(
    private readonly clock: Pick<Clock, 'monotonic' | 'setTimer'>,
    private readonly times: DebounceTimes,
    private readonly fire: () => void,
  ) {}

  touch(): void {
    const { quietMs, mostMs } = this.times;
    const now = this.clock.monotonic();
    const firstAtMs = this.timer?.firstAtMs ?? now;
    this.timer?.handle.cancel();
    const delayMs = Math.max(0, Math.min(quietMs, firstAtMs + mostMs - now));
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
