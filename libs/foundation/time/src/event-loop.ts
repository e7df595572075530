import { monitorEventLoopDelay } from 'node:perf_hooks';

/**
 * Resolves on the next turn of the real event loop, after pending I/O. Long computations call it between slices, so
 * that they do not block. A virtual clock does not advance for it.
 */
export function yieldToEventLoop(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}

// The longest delay of a Node timer.
const longestMs = 2 ** 31 - 1;

/**
 * Keeps the process alive until the returned function is called. Timers of a Clock do not, so without it a daemon that
 * listens on no port would exit as soon as it is idle.
 */
export function holdProcess(): () => void {
  const hold = setInterval(() => undefined, longestMs);
  return () => clearInterval(hold);
}

/** Delay of the event loop since the last `reset()`, in seconds; 0 before the first sample. */
export interface LoopDelay {
  readonly meanSeconds: number;
  readonly p99Seconds: number;
  readonly maxSeconds: number;
}

export interface LoopDelayMonitor {
  read(): LoopDelay;
  reset(): void;
  stop(): void;
}

/**
 * Samples how late the event loop runs its timers. `resolutionMs` is the sampling period: each sample wakes the
 * process, and a sample every 20 ms would cost half a percent of a core.
 */
export function monitorLoopDelay(resolutionMs = 500): LoopDelayMonitor {
  const histogram = monitorEventLoopDelay({ resolution: resolutionMs });
  histogram.enable();
  // The histogram holds nanoseconds between two samples, so the sampling period is subtracted to get the delay.
  const seconds = (nanoseconds: number): number =>
    Number.isFinite(nanoseconds) ? Math.max(0, nanoseconds / 1e9 - resolutionMs / 1e3) : 0;
  return {
    read: () =>
      histogram.count === 0
        ? { meanSeconds: 0, p99Seconds: 0, maxSeconds: 0 }
        : {
            meanSeconds: seconds(histogram.mean),
            p99Seconds: seconds(histogram.percentile(99)),
            maxSeconds: seconds(histogram.max),
          },
    reset: () => histogram.reset(),
    stop: () => {
      histogram.disable();
    },
  };
}
