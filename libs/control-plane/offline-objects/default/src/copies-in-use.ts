import type { Gauge, MetricsRegistry } from '@podwright/metrics';
import type { Logger } from '@podwright/logging';
import type { OfflineCopy, OfflineRef } from '@podwright/offline-objects-interface';
import { formatRfc3339 } from '@podwright/time';
import { sealedFileName } from './sealed-file.js';

/** Which copies take the place of the API server's answers; says so once for each, and when there are none any more. */
export class CopiesInUse {
  private readonly refs = new Map<string, OfflineRef>();
  private readonly gauge: Gauge;

  constructor(
    private readonly logger: Logger,
    metrics: Pick<MetricsRegistry, 'gauge'>,
  ) {
    this.gauge = metrics.gauge({
      name: 'podwright_offline_objects_in_use',
      help: 'Number of saved API objects that are used in place of answers of the API server, which cannot be reached.',
      labels: ['kind'],
    });
  }

  begin(copies: readonly OfflineCopy[]): void {
    for (const { ref, savedAtMs } of copies) {
      const name = sealedFileName(ref);
      if (this.refs.has(name)) continue;
      this.refs.set(name, ref);
      this.gauge.add(1, { kind: ref.kind });
      const message = 'The API server cannot be reached: a saved object is used, which may be out of date';
      this.logger.warn(message, { ...ref, savedAt: formatRfc3339(savedAtMs) });
    }
  }

  end(ref: OfflineRef): void {
    if (!this.refs.delete(sealedFileName(ref))) return;
    this.gauge.add(-1, { kind: ref.kind });
    if (this.refs.size === 0) this.logger.info('The API server answers again: no saved object is in use any more');
  }
}
