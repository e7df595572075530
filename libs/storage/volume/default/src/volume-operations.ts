import { abortable } from '@podwright/concurrency';
import { abortReason } from '@podwright/time';
import type { Clock } from '@podwright/time';

export interface RetryTimes {
  readonly retryMs: number;
  readonly maxRetryMs: number;
}

/** Mounting and unmounting pause apart: a volume that could not be mounted is unmounted at once. */
export type OperationKind = 'mount' | 'unmount';

/**
 * One operation at a time per volume, and a growing pause after each that failed. An operation goes on when its caller
 * gives up: a mount that hangs blocks its own volume alone, and nobody starts a second one beside it.
 * Source: kubernetes v1.36 pkg/util/goroutinemap/exponentialbackoff.
 */
export class VolumeOperations {
  private readonly running = new Map<string, Promise<void>>();
  private readonly pauses = new Map<string, { readonly delayMs: number; readonly untilMs: number }>();

  constructor(
    private readonly clock: Clock,
    private readonly times: RetryTimes,
  ) {}

  isRunning(key: string): boolean {
    return this.running.has(key);
  }

  /** An operation of this kind failed a moment ago. */
  isPausing(kind: OperationKind, key: string): boolean {
    return this.pauseMs(kind, key) > 0;
  }

  /** Runs `task` again and again until it succeeds; rejects only when the signal aborts. `task` reports its own failures. */
  async runUntilDone(kind: OperationKind, key: string, task: () => Promise<void>, signal: AbortSignal): Promise<void> {
    for (;;) {
      const pauseMs = this.pauseMs(kind, key);
      if (pauseMs > 0) await this.clock.sleep(pauseMs, signal);
      if (await this.runOnce(kind, key, task, signal)) return;
    }
  }

  /** Waits for the operation that runs, then runs `task`. False when it failed. Rejects when the signal aborts. */
  async runOnce(kind: OperationKind, key: string, task: () => Promise<void>, signal: AbortSignal): Promise<boolean> {
    for (let other = this.running.get(key); other !== undefined; other = this.running.get(key)) {
      await abortable(other, signal);
    }
    if (signal.aborted) throw abortReason(signal);
    let succeeded = false;
    const work = this.guard(kind, key, task).then((outcome) => {
      succeeded = outcome;
      this.running.delete(key);
    });
    this.running.set(key, work);
    await abortable(work, signal);
    return succeeded;
  }

  /** Resolves when nothing runs. */
  async whenIdle(): Promise<void> {
    while (this.running.size > 0) await Promise.all(this.running.values());
  }

  private pauseMs(kind: OperationKind, key: string): number {
    return (this.pauses.get(`${kind} ${key}`)?.untilMs ?? 0) - this.clock.monotonic();
  }

  private async guard(kind: OperationKind, key: string, task: () => Promise<void>): Promise<boolean> {
    const ownKey = `${kind} ${key}`;
    try {
      await task();
      this.pauses.delete(`mount ${key}`);
      this.pauses.delete(`unmount ${key}`);
      return true;
    } catch {
      // The task has reported it; here it only makes the next try wait.
      const { retryMs, maxRetryMs } = this.times;
      const delayMs = Math.min(maxRetryMs, (this.pauses.get(ownKey)?.delayMs ?? retryMs / 2) * 2);
      this.pauses.set(ownKey, { delayMs, untilMs: this.clock.monotonic() + delayMs });
      return false;
    }
  }
}
