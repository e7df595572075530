import { quantityFromUnits, quantityToBytes } from '@podwright/kube-types';
import type { Logger } from '@podwright/logging';
import type { Summary } from '@podwright/stats-interface';
import type { Clock } from '@podwright/time';
import { isMemorySignal } from '../signals/signal.js';
import { isHard, thresholdQuantity, type Threshold } from '../thresholds/threshold.js';
import { MemoryUsageWatch, type ReadMemoryUsage } from './memory-usage-watch.js';

export interface MemoryWatchesDeps {
  readonly read: ReadMemoryUsage;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly crossed: () => void;
}

// The minimum time between updates of the limits, which follow the page cache.
const refreshMs = 10_000;

/** One {@link MemoryUsageWatch} for each memory threshold. */
export class MemoryWatches {
  private readonly watches: readonly { readonly threshold: Threshold; readonly watch: MemoryUsageWatch }[];
  private updatedAtMs = Number.NEGATIVE_INFINITY;

  constructor(
    thresholds: readonly Threshold[],
    private readonly deps: MemoryWatchesDeps,
  ) {
    const { read, clock, logger, crossed } = deps;
    this.watches = thresholds
      .filter(({ signal }) => isMemorySignal(signal))
      .map((threshold) => {
        const of = threshold.signal === 'memory.available' ? 'node' : 'pods';
        const tell = (): void => {
          logger.info(`eviction manager: ${description(threshold)} crossed`);
          crossed();
        };
        return { threshold, watch: new MemoryUsageWatch({ read, clock, logger }, of, tell) };
      });
  }

  /** Resolves when the signal has aborted. */
  async run(signal: AbortSignal): Promise<void> {
    await Promise.all(this.watches.map(({ watch }) => watch.run(signal)));
  }

  update({ node }: Summary): void {
    const nowMs = this.deps.clock.monotonic();
    if (nowMs - this.updatedAtMs < refreshMs) return;
    this.updatedAtMs = nowMs;
    const pods = node.systemContainers?.find(({ name }) => name === 'pods');
    for (const { threshold, watch } of this.watches) {
      watch.update(threshold.signal === 'memory.available' ? node.memory : pods?.memory, (capacityBytes) =>
        quantityToBytes(thresholdQuantity(threshold.value, quantityFromUnits(capacityBytes, 'BinarySI'))),
      );
    }
  }
}

function description(threshold: Threshold): string {
  const allocatable = threshold.signal === 'memory.available' ? '' : 'allocatable ';
  return `${isHard(threshold) ? 'hard' : 'soft'} ${allocatable}memory eviction threshold`;
}
