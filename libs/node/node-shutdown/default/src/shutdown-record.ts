import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { writeFileAtomically } from '@podwright/checkpoint';
import { isMissing } from '@podwright/errors';
import type { Logger } from '@podwright/logging';
import type { Gauge, MetricsRegistry } from '@podwright/metrics';
import type { Clock } from '@podwright/time';

const zeroTime = '0001-01-01T00:00:00Z';

/**
 * Records the start and end of the last graceful shutdown: as metrics, and in `graceful_node_shutdown_state` for the
 * kubelet after the reboot. Source: kubernetes v1.36 pkg/kubelet/nodeshutdown/storage.go.
 */
export class ShutdownRecord {
  readonly file: string;
  private readonly startTime: Gauge;
  private readonly endTime: Gauge;

  constructor(
    rootDir: string,
    metrics: MetricsRegistry,
    private readonly clock: Clock,
    private readonly logger: Logger,
  ) {
    this.file = path.join(rootDir, 'graceful_node_shutdown_state');
    this.startTime = metrics.gauge({
      name: 'kubelet_graceful_shutdown_start_time_seconds',
      help: 'Last graceful shutdown start time since unix epoch in seconds',
    });
    this.endTime = metrics.gauge({
      name: 'kubelet_graceful_shutdown_end_time_seconds',
      help: 'Last graceful shutdown end time since unix epoch in seconds',
    });
  }

  /** Shows the last shutdown of an earlier kubelet in the metrics; never rejects. */
  async load(): Promise<void> {
    try {
      const { startTime, endTime } = JSON.parse(await readFile(this.file, 'utf8')) as Record<string, unknown>;
      show(this.startTime, startTime);
      show(this.endTime, endTime);
    } catch (error) {
      if (isMissing(error)) return;
      this.logger.error('Failed to load graceful shutdown state', { file: this.file, error });
    }
  }

  /** Never rejects: the shutdown matters more than its record. Resolves with the start time for {@link ended}. */
  async began(): Promise<number> {
    const startMs = this.clock.now();
    this.startTime.set(Math.floor(startMs / 1000));
    this.endTime.set(0);
    await this.store(new Date(startMs).toISOString(), zeroTime);
    return startMs;
  }

  async ended(startMs: number): Promise<void> {
    const endMs = this.clock.now();
    this.endTime.set(Math.floor(endMs / 1000));
    await this.store(new Date(startMs).toISOString(), new Date(endMs).toISOString());
  }

  private async store(startTime: string, endTime: string): Promise<void> {
    const content = JSON.stringify({ startTime, endTime });
    await writeFileAtomically(this.file, content, { mode: 0o644 }).catch((error: unknown) =>
      this.logger.error('Failed to store graceful shutdown state', { file: this.file, error }),
    );
  }
}

function show(gauge: Gauge, time: unknown): void {
  const ms = typeof time === 'string' && time !== zeroTime ? Date.parse(time) : NaN;
  if (!Number.isNaN(ms)) gauge.set(Math.floor(ms / 1000));
}
