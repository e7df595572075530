import { FailureLog } from '@podwright/logging';
import type { MemoryStats } from '@podwright/stats-interface';
import type { EvictionNeeds } from '../eviction-needs.js';

/** The cgroup to watch: that of the machine, or that of all pods. */
export type WatchedMemory = 'node' | 'pods';

/** Usage of the cgroup in bytes, including page cache; undefined where the kernel does not report it. */
export type ReadMemoryUsage = (memory: WatchedMemory) => Promise<number | undefined>;

const periodMs = 1_000;

/**
 * Checks every second whether the usage of a cgroup has crossed its limit in either direction. Upstream gets a kernel
 * notification (an eventfd on memory.usage_in_bytes), for which Node.js has no call. Source: kubernetes v1.36
 * pkg/kubelet/eviction/memory_threshold_notifier_others.go, threshold_notifier_linux.go.
 */
export class MemoryUsageWatch {
  private limitBytes: number | undefined;
  private wasAbove = false;
  private readonly failureLog: FailureLog;

  constructor(
    private readonly deps: Pick<EvictionNeeds, 'clock' | 'logger'> & { readonly read: ReadMemoryUsage },
    private readonly memory: WatchedMemory,
    private readonly crossed: () => void,
  ) {
    this.failureLog = new FailureLog(deps.logger, deps.clock);
  }

  /** Resolves when the signal has aborted. */
  run(signal: AbortSignal): Promise<void> {
    return this.deps.clock.every(periodMs, () => this.check(), signal);
  }

  /**
   * Computes the usage at which the working set would leave `evictBelow` bytes available: thresholds use the working
   * set, but the kernel reports usage. Ignores incomplete statistics.
   */
  update(stats: MemoryStats | undefined, evictBelow: (capacityBytes: number) => number): void {
    const { usageBytes, workingSetBytes, availableBytes } = stats ?? {};
    if (usageBytes === undefined || workingSetBytes === undefined || availableBytes === undefined) return;
    const capacityBytes = availableBytes + workingSetBytes;
    const limitBytes = capacityBytes - evictBelow(capacityBytes) + (usageBytes - workingSetBytes);
    if (limitBytes === this.limitBytes) return;
    // A new limit is no crossing: the pass that measured these statistics has already acted on them.
    this.limitBytes = limitBytes;
    this.wasAbove = usageBytes >= limitBytes;
  }

  private async check(): Promise<void> {
    if (this.limitBytes === undefined) return;
    try {
      const usageBytes = await this.deps.read(this.memory);
      if (usageBytes === undefined) return;
      const isAbove = usageBytes >= this.limitBytes;
      const hasCrossed = isAbove !== this.wasAbove;
      this.wasAbove = isAbove;
      this.failureLog.over('Eviction manager: memory usage is read again');
      if (hasCrossed) this.crossed();
    } catch (error) {
      this.failureLog.failed('read', 'Eviction manager: failed to read memory usage', { memory: this.memory, error });
    }
  }
}
