import type { Clock, Deadline, Timer } from '@podwright/time';

/**
 * The clock of one process on a simulated machine. After `die()` its timers never fire and its sleeps never end, as in
 * a killed process, while the machine's own clock continues.
 */
export class KillableClock implements Clock {
  private dead = false;

  constructor(private readonly machine: Clock) {}

  die(): void {
    this.dead = true;
  }

  now(): number {
    return this.machine.now();
  }

  monotonic(): number {
    return this.machine.monotonic();
  }

  setTimer(delayMs: number, callback: () => void): Timer {
    return this.machine.setTimer(delayMs, () => {
      if (!this.dead) callback();
    });
  }

  async sleep(delayMs: number, signal?: AbortSignal): Promise<void> {
    await this.machine.sleep(delayMs, signal);
    await this.outliving();
  }

  async every(periodMs: number, task: () => Promise<void> | void, signal: AbortSignal): Promise<void> {
    await this.machine.every(
      periodMs,
      async () => {
        await this.outliving();
        await task();
      },
      signal,
    );
  }

  deadline(timeoutMs: number, parent?: AbortSignal): Deadline {
    return this.machine.deadline(timeoutMs, parent);
  }

  private outliving(): Promise<void> {
    return this.dead ? new Promise(() => undefined) : Promise.resolve();
  }
}
