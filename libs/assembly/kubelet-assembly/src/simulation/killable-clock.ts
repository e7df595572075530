import { BaseClock, type Timer, type Clock } from '@podwright/time';

/**
 * The clock of one process on a simulated machine. After `die()` its timers never fire and its sleeps never end, as in
 * a killed process, while the machine's own clock continues.
 */
export class KillableClock extends BaseClock {
  private dead = false;
  private readonly open = new Set<Timer>();

  constructor(private readonly machine: Clock) {
    super();
  }

  die(): void {
    this.dead = true;
  }

  /** Timers and sleeps that are not due yet: a process that has stopped in order has none. */
  get pendingTimers(): number {
    return this.open.size;
  }

  now(): number {
    return this.machine.now();
  }

  monotonic(): number {
    return this.machine.monotonic();
  }

  setTimer(delayMs: number, callback: () => void): Timer {
    const timer = this.machine.setTimer(delayMs, () => {
      this.open.delete(timer);
      if (!this.dead) callback();
    });
    this.open.add(timer);
    return {
      cancel: () => {
        this.open.delete(timer);
        timer.cancel();
      },
    };
  }
}
