import type { Logger } from '@podwright/logging';
import { TroubleLog } from '@podwright/logging';
import type { MemoryStats } from '@podwright/stats-interface';
import type { Clock } from '@podwright/time';

/** Which cgroup: of the machine, or of all pods. */
export type WatchedMemory = 'node' | 'pods';

/** Usage of the cgroup in bytes, page cache included; undefined where the kernel does not tell. */
export type ReadMemoryUsage = (memory: WatchedMemory) => Promise<number | undefined>;

const periodMs = 1_000;

/**
 * Looks every second whether the usage of a cgroup has crossed its limit, in either direction. Upstream is told by the kernel
 * (an eventfd on memory.usage_in_bytes), which Node.js has no call for. Source: kubernetes v1.36
 * pkg/kubelet/eviction/memory_threshold_notifier_others.go, threshold_notifier_linux.go.
 */
export class MemoryUsageWatch {
  private limitBytes: number | undefined;
  private wasAbove = false;
  private readonly trouble: TroubleLog;

  constructor(
    private readonly memory: WatchedMemory,
    private readonly read: ReadMemoryUsage,
    private readonly crossed: () => void,
    private readonly clock: Clock,
    logger: Logger,
  ) {
    this.trouble = new TroubleLog(logger, clock);
  }

  /** Resolves when the signal has aborted. */
  run(signal: AbortSignal): Promise<void> {
    return this.clock.every(periodMs, () => this.look(), signal);
  }

  /**
   * The working set is what counts, the kernel tells usage: the limit is where the working set would leave `evictBelowBytes`.
   * Incomplete statistics change nothing.
   */
  update(stats: MemoryStats | undefined, evictBelow: (capacityBytes: number) => number): void {
    const { usageBytes, workingSetBytes, availableBytes } = stats ?? {};
    if (usageBytes === undefined || workingSetBytes === undefined || availableBytes === undefined) return;
    const capacityBytes = availableBytes + workingSetBytes;
    const limitBytes = capacityBytes - evictBelow(capacityBytes) + (usageBytes - workingSetBytes);
    if (limitBytes === this.limitBytes) return;
    // A new limit alone is no crossing: the pass that made the statistics has seen them.
    this.limitBytes = limitBytes;
    this.wasAbove = usageBytes >= limitBytes;
  }

  private async look(): Promise<void> {
    if (this.limitBytes === undefined) return;
    try {
      const usageBytes = await this.read(this.memory);
      if (usageBytes === undefined) return;
      const isAbove = usageBytes >= this.limitBytes;
      const hasCrossed = isAbove !== this.wasAbove;
      this.wasAbove = isAbove;
      this.trouble.over('Eviction manager: memory usage is read again');
      if (hasCrossed) this.crossed();
    } catch (error) {
      this.trouble.failed('read', 'Eviction manager: failed to read memory usage', { memory: this.memory, error });
    }
  }
}
