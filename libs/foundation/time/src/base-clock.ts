import { KubeletError } from '@podwright/errors';
import type { Clock, Deadline, Timer } from './clock.js';

/** The waiting half of {@link Clock}, the same on every source of time: it stands on `setTimer` alone. */
export abstract class BaseClock implements Clock {
  abstract now(): number;
  abstract monotonic(): number;
  abstract setTimer(delayMs: number, callback: () => void): Timer;

  sleep(delayMs: number, signal?: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      if (signal?.aborted === true) return reject(reasonOf(signal));
      const onAbort = (): void => {
        timer.cancel();
        reject(reasonOf(signal));
      };
      const timer = this.setTimer(delayMs, () => {
        signal?.removeEventListener('abort', onAbort);
        resolve();
      });
      signal?.addEventListener('abort', onAbort, { once: true });
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
      parent?.removeEventListener('abort', onParentAbort);
    };
    const end = (reason: unknown): void => {
      dispose();
      controller.abort(reason);
    };
    const onParentAbort = (): void => end(parent?.reason);
    const timer = this.setTimer(timeoutMs, () =>
      end(new KubeletError(`deadline of ${timeoutMs} ms exceeded`, { code: 'deadline-exceeded' })),
    );
    parent?.addEventListener('abort', onParentAbort, { once: true });
    return { signal: controller.signal, dispose };
  }

  /** As sleep(), but the end of the signal is a normal end. */
  private pause(delayMs: number, signal: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      if (signal.aborted) return resolve();
      const done = (): void => {
        timer.cancel();
        signal.removeEventListener('abort', done);
        resolve();
      };
      const timer = this.setTimer(delayMs, done);
      signal.addEventListener('abort', done, { once: true });
    });
  }
}

function reasonOf(signal: AbortSignal | undefined): Error {
  const reason: unknown = signal?.reason;
  return reason instanceof Error ? reason : new KubeletError(String(reason), { code: 'cancelled', cause: reason });
}

/** Negative delays count as 0. NaN is the caller's bug and would otherwise become a busy loop. */
export function checkedDelay(delayMs: number): number {
  if (Number.isNaN(delayMs)) throw new KubeletError('timer delay is not a number', { code: 'invalid-argument' });
  return Math.max(0, delayMs);
}
