import { KubeletError } from '@podwright/errors';
import type { Clock, Deadline, Timer } from './clock.js';
import { abortReason, onAbort } from './on-abort.js';

/** The waiting half of {@link Clock}, built on `setTimer` alone, so that all clocks share it. */
export abstract class BaseClock implements Clock {
  abstract now(): number;
  abstract monotonic(): number;
  abstract setTimer(delayMs: number, callback: () => void): Timer;

  sleep(delayMs: number, signal?: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      if (signal?.aborted === true) return reject(abortReason(signal));
      const timer = this.setTimer(delayMs, () => {
        unsubscribe();
        resolve();
      });
      const unsubscribe = onAbort(signal, () => {
        timer.cancel();
        reject(abortReason(signal as AbortSignal));
      });
    });
  }

  async every(periodMs: number, task: () => Promise<void> | void, signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      await task();
      await this.pause(periodMs, signal);
    }
  }

  deadline(timeoutMs: number, parent?: AbortSignal): Deadline {
    const controller = new AbortController();
    if (parent?.aborted === true) {
      controller.abort(parent.reason);
      return { signal: controller.signal, dispose: () => undefined };
    }
    const dispose = (): void => {
      timer.cancel();
      unsubscribe();
    };
    const end = (reason: unknown): void => {
      dispose();
      controller.abort(reason);
    };
    const timer = this.setTimer(timeoutMs, () =>
      end(new KubeletError(`deadline of ${timeoutMs} ms exceeded`, { code: 'deadline-exceeded' })),
    );
    const unsubscribe = onAbort(parent, () => end(parent?.reason));
    return { signal: controller.signal, dispose };
  }

  /** As sleep(), but resolves when the signal aborts. */
  private pause(delayMs: number, signal: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      if (signal.aborted) return resolve();
      const done = (): void => {
        timer.cancel();
        unsubscribe();
        resolve();
      };
      const timer = this.setTimer(delayMs, done);
      const unsubscribe = onAbort(signal, done);
    });
  }
}

/**
 * Turns negative delays into 0. Throws `invalid-argument` for NaN, a bug of the caller that would become a busy loop.
 */
export function checkedDelay(delayMs: number): number {
  if (Number.isNaN(delayMs)) throw new KubeletError('timer delay is not a number', { code: 'invalid-argument' });
  return Math.max(0, delayMs);
}
