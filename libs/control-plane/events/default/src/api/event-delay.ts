import type { EventType } from '@podwright/events-interface';
import type { ApiServerWatch } from '@podwright/kube-client-interface';
import { linkSignals, type Clock } from '@podwright/time';
import type { ApiEventRecorderConfig } from './api-event-recorder-config.js';
import { SpamFilter } from './spam-filter.js';

export type EventDelayOptions = Pick<ApiEventRecorderConfig, 'promptEvents' | 'quietMs' | 'mostDelayMs' | 'maxQueued'>;

export interface QueuedEvent {
  readonly type: EventType;
  /** Monotonic clock. */
  readonly recordedAtMs: number;
}

/**
 * Keeps events back while many pods start or end. No pod waits for an event, but each one costs the kubelet and the API
 * server time that tokens and statuses need. Warnings are never kept back, nor is what was recorded before them, so the
 * order stays.
 */
export class EventDelay {
  private readonly prompt: SpamFilter;
  private waitingWarnings = 0;
  private wake: () => void = () => undefined;

  constructor(
    private readonly server: Pick<ApiServerWatch, 'lastUrgentCallMs'>,
    private readonly clock: Clock,
    private readonly options: EventDelayOptions,
  ) {
    const { promptEvents, mostDelayMs } = options;
    this.prompt = new SpamFilter({
      burst: promptEvents,
      refillMs: mostDelayMs / Math.max(1, promptEvents),
      capacity: 1,
    });
  }

  /** Call it for each event that has been queued. */
  queued({ type }: QueuedEvent): void {
    if (type !== 'Warning') return;
    this.waitingWarnings += 1;
    this.wake();
  }

  /**
   * Resolves when the event, the first of the queue, should be sent, or when the signal aborts. `behind`: number of events
   * in the queue after it.
   */
  async wait({ type, recordedAtMs }: QueuedEvent, behind: () => number, signal: AbortSignal): Promise<void> {
    if (type === 'Warning') this.waitingWarnings -= 1;
    if (type === 'Warning' || this.prompt.accept('', this.clock.monotonic())) return;
    const { quietMs, mostDelayMs, maxQueued } = this.options;
    while (!signal.aborted && this.waitingWarnings === 0 && behind() < maxQueued / 2) {
      const { lastUrgentCallMs } = this.server;
      if (lastUrgentCallMs === undefined) return;
      const pauseMs = Math.min(lastUrgentCallMs + quietMs, recordedAtMs + mostDelayMs) - this.clock.monotonic();
      if (pauseMs <= 0) return;
      await this.sleep(pauseMs, signal);
    }
  }

  private async sleep(ms: number, signal: AbortSignal): Promise<void> {
    const waking = linkSignals(signal);
    this.wake = () => waking.abort();
    try {
      await this.clock.sleep(ms, waking.signal);
    } catch (error) {
      if (!waking.signal.aborted) throw error;
    } finally {
      this.wake = () => undefined;
      waking.dispose();
    }
  }
}
