import type { ApiServerWatch } from '@podwright/kube-client-interface';
import type { CoreEvent } from '@podwright/kube-types';
import { linkSignals, type Clock } from '@podwright/time';
import type { ApiEventRecorderConfig } from './api-event-recorder-config.js';
import { SpamFilter } from './spam-filter.js';

export type EventBacklogOptions = Pick<
  ApiEventRecorderConfig,
  'promptEvents' | 'quietMs' | 'mostDelayMs' | 'maxQueued'
>;

interface WaitingEvent {
  readonly event: CoreEvent;
  /** It is sent before those that are not. */
  readonly prompt: boolean;
  /** Monotonic clock. */
  readonly recordedAtMs: number;
}

/**
 * The events that are to be sent. Beyond a few, those of type Normal wait while many pods start or end: no pod waits for
 * an event, but each one costs the kubelet and the API server time that tokens and statuses need.
 */
export class EventBacklog {
  private readonly prompt: SpamFilter;
  private readonly waiting: WaitingEvent[] = [];
  private wake: () => void = () => undefined;

  constructor(
    private readonly server: Pick<ApiServerWatch, 'lastUrgentCallMs'> | undefined,
    private readonly clock: Clock,
    private readonly options: EventBacklogOptions,
  ) {
    const { promptEvents: burst, mostDelayMs } = options;
    this.prompt = new SpamFilter({ burst, refillMs: mostDelayMs / Math.max(1, burst), capacity: 1 });
  }

  /** False: too many wait, and this one is dropped. */
  add(event: CoreEvent): boolean {
    if (this.waiting.length >= this.options.maxQueued) return false;
    const recordedAtMs = this.clock.monotonic();
    const prompt = event.type === 'Warning' || this.prompt.accept('', recordedAtMs);
    this.waiting.push({ event, prompt, recordedAtMs });
    this.wake();
    return true;
  }

  /** Resolves with the next event to send, or with undefined when the signal aborts. */
  async next(signal: AbortSignal): Promise<CoreEvent | undefined> {
    while (!signal.aborted) {
      const waitMs = this.waitMs();
      const index = waitMs > 0 ? this.waiting.findIndex(({ prompt }) => prompt) : 0;
      const [next] = index < 0 ? [] : this.waiting.splice(index, 1);
      if (next !== undefined) return next.event;
      await this.sleep(waitMs, signal);
    }
    return undefined;
  }

  /** Milliseconds until the oldest event may be sent, for ever when there is none. */
  private waitMs(): number {
    const [oldest] = this.waiting;
    if (oldest === undefined) return Number.POSITIVE_INFINITY;
    const { quietMs, mostDelayMs, maxQueued } = this.options;
    const urgentMs = this.server?.lastUrgentCallMs;
    if (oldest.prompt || urgentMs === undefined || this.waiting.length > maxQueued / 2) return 0;
    return Math.min(urgentMs + quietMs, oldest.recordedAtMs + mostDelayMs) - this.clock.monotonic();
  }

  private async sleep(ms: number, signal: AbortSignal): Promise<void> {
    const waking = linkSignals(signal);
    const woken = new Promise<void>((resolve) => waking.signal.addEventListener('abort', () => resolve()));
    this.wake = () => waking.abort();
    const timer = Number.isFinite(ms) ? this.clock.setTimer(ms, this.wake) : undefined;
    await woken;
    this.wake = () => undefined;
    timer?.cancel();
    waking.dispose();
  }
}
