import { abortable } from '@podwright/concurrency';
import { abortReason, GrowingPause } from '@podwright/time';
import type { Clock } from '@podwright/time';

export interface RetryTimes {
  readonly retryMs: number;
  readonly maxRetryMs: number;
}

/** The kinds have separate pauses: a volume that failed to mount can be unmounted at once. */
export type OperationKind = 'attach' | 'mount' | 'unmount' | 'unmount-device';

/** What an operation works on. Without a pod it is the volume as a whole, which excludes all its pods. */
export interface OperationKey {
  readonly volume: string;
  readonly podUid?: string | undefined;
}

/** One failed run, for the report. */
export interface FailedOperation {
  readonly kind: OperationKind;
  readonly key: OperationKey;
  /** Failures in a row. */
  readonly failures: number;
  /** Until the next try may begin. */
  readonly pauseMs: number;
  readonly error: unknown;
}

interface Pause {
  readonly growing: GrowingPause;
  readonly untilMs: number;
  readonly failures: number;
}

interface Running {
  readonly key: OperationKey;
  readonly work: Promise<void>;
}

const textOf = ({ volume, podUid = '' }: OperationKey): string => `${volume}\n${podUid}`;
const conflicts = (a: OperationKey, b: OperationKey): boolean =>
  a.volume === b.volume && (a.podUid === undefined || b.podUid === undefined || a.podUid === b.podUid);

/**
 * Runs one operation at a time per volume, or per volume and pod, with a growing pause after each failure. An operation
 * continues when its caller gives up: a mount that hangs blocks only its own volume, and no second one starts beside
 * it. Source: kubernetes v1.36 pkg/volume/util/nestedpendingoperations, pkg/util/goroutinemap/exponentialbackoff.
 */
export class VolumeOperations {
  private readonly running = new Set<Running>();
  private readonly pauses = new Map<string, Map<OperationKind, Pause>>();

  constructor(
    private readonly clock: Clock,
    private readonly times: RetryTimes,
    private readonly onFailed: (failed: FailedOperation) => void = () => undefined,
  ) {}

  isRunning(key: OperationKey): boolean {
    return this.conflict(key) !== undefined;
  }

  /** Whether the pause after a failed operation of this kind is still running. */
  isPausing(kind: OperationKind, key: OperationKey): boolean {
    return this.pauseMs(kind, key) > 0;
  }

  /** Retries `task` until it succeeds; rejects only when the signal aborts. `task` reports its own failures. */
  async runUntilDone(
    kind: OperationKind,
    key: OperationKey,
    task: () => Promise<void>,
    signal: AbortSignal,
  ): Promise<void> {
    for (;;) {
      const pauseMs = this.pauseMs(kind, key);
      if (pauseMs > 0) await this.clock.sleep(pauseMs, signal);
      if (await this.runOnce(kind, key, task, signal)) return;
    }
  }

  /**
   * Waits for the operations in progress on the same, then runs `task`. Resolves to false when it failed. Rejects when
   * the signal aborts.
   */
  async runOnce(
    kind: OperationKind,
    key: OperationKey,
    task: () => Promise<void>,
    signal: AbortSignal,
  ): Promise<boolean> {
    for (let other = this.conflict(key); other !== undefined; other = this.conflict(key)) {
      await abortable(other.work, signal);
    }
    if (signal.aborted) throw abortReason(signal);
    let succeeded = false;
    const work = this.guard(kind, key, task).then((outcome) => {
      succeeded = outcome;
      this.running.delete(running);
    });
    const running: Running = { key, work };
    this.running.add(running);
    await abortable(work, signal);
    return succeeded;
  }

  /** Resolves when no operation is in progress. */
  async whenIdle(): Promise<void> {
    while (this.running.size > 0) await Promise.all([...this.running].map(({ work }) => work));
  }

  private conflict(key: OperationKey): Running | undefined {
    for (const running of this.running) if (conflicts(running.key, key)) return running;
    return undefined;
  }

  private pauseMs(kind: OperationKind, key: OperationKey): number {
    return (this.pauses.get(textOf(key))?.get(kind)?.untilMs ?? 0) - this.clock.monotonic();
  }

  private async guard(kind: OperationKind, key: OperationKey, task: () => Promise<void>): Promise<boolean> {
    try {
      await task();
      this.pauses.delete(textOf(key));
      return true;
    } catch (error) {
      // The task has logged its failure; here it only delays the retry.
      const { retryMs, maxRetryMs } = this.times;
      const kinds = this.pauses.get(textOf(key)) ?? new Map<OperationKind, never>();
      const before = kinds.get(kind);
      const growing = before?.growing ?? new GrowingPause({ firstMs: retryMs, longestMs: maxRetryMs });
      const pauseMs = growing.next();
      const failures = (before?.failures ?? 0) + 1;
      kinds.set(kind, { growing, untilMs: this.clock.monotonic() + pauseMs, failures });
      this.pauses.set(textOf(key), kinds);
      this.onFailed({ kind, key, failures, pauseMs, error });
      return false;
    }
  }
}
