import { CLOCK, LOGGER, METRICS, needs, type Lifecycle, type Needs } from '@podwright/assembly-interface';
import type { EventObject, EventRecorder, EventType, RecentEvents, RecordedEvent } from '@podwright/events-interface';
import type { Logger } from '@podwright/logging';
import type { Counter } from '@podwright/metrics';
import { EventCorrelator } from './event-correlator.js';
import type { CountedEvent, EventFacts } from './event-correlator.js';
import type { LogEventRecorderConfig } from './log-event-recorder-config.js';

export const logEventRecorderNeeds = needs({
  clock: CLOCK,
  logger: LOGGER,
  metrics: METRICS,
});

/** {@link EventRecorder} for a node without an API server: one log line per event, with repetitions counted. */
export class LogEventRecorder implements EventRecorder, RecentEvents, Lifecycle {
  private readonly logger: Logger;
  private readonly counter: Counter;
  private readonly correlator: EventCorrelator;
  private readonly ring: CountedEvent[] = [];
  private oldest = 0;
  private stopped = false;

  constructor(
    private readonly deps: Needs<typeof logEventRecorderNeeds>,
    private readonly config: LogEventRecorderConfig,
  ) {
    this.logger = deps.logger.with({ logger: 'events' });
    this.counter = deps.metrics.counter({
      name: 'podwright_events_total',
      help: 'Number of events recorded, by type and reason',
      labels: ['type', 'reason'],
      maxSeries: 200, // reasons come from a closed list of about a hundred
    });
    this.correlator = new EventCorrelator(config.aggregationMs, config.maxCorrelated);
  }

  async start(): Promise<void> {}

  /** Logs counted repetitions; from then on logs every event at once. */
  async stop(): Promise<void> {
    this.stopped = true;
    for (const event of this.correlator.untold()) this.write(event);
  }

  event(object: EventObject, type: EventType, reason: string, message: string): void {
    this.counter.increment({ type, reason });
    const facts = { ...this.describe(object), type, reason, message };
    const { event, tell } = this.correlator.observe(facts, this.deps.clock.now());
    if (!event.remembered) this.remember(event);
    if (tell || this.stopped) this.write(event);
  }

  recent(): readonly RecordedEvent[] {
    const ordered = [...this.ring.slice(this.oldest), ...this.ring.slice(0, this.oldest)];
    return ordered.map(
      ({ untold: _untold, toldAtMs: _toldAtMs, life: _life, remembered: _remembered, ...event }) => event,
    );
  }

  private describe(object: EventObject): Pick<EventFacts, 'kind' | 'namespace' | 'name' | 'podUid' | 'fieldPath'> {
    if (object.kind === 'Node')
      return { kind: 'Node', namespace: '', name: this.config.nodeName, podUid: '', fieldPath: '' };
    if (object.kind !== 'Pod') {
      const { namespace = '', name = '' } = object.object.metadata ?? {};
      return { kind: object.kind, namespace, name, podUid: '', fieldPath: '' };
    }
    const { namespace = '', name = '', uid = '' } = object.pod.metadata;
    return { kind: 'Pod', namespace, name, podUid: uid, fieldPath: object.fieldPath ?? '' };
  }

  private remember(event: CountedEvent): void {
    if (this.config.keepRecent === 0) return;
    event.remembered = true;
    if (this.ring.length < this.config.keepRecent) {
      this.ring.push(event);
      return;
    }
    const forgotten = this.ring[this.oldest];
    if (forgotten !== undefined) forgotten.remembered = false;
    this.ring[this.oldest] = event;
    this.oldest = (this.oldest + 1) % this.config.keepRecent;
  }

  private write(event: CountedEvent): void {
    const { kind, namespace, name, fieldPath, type, reason, message, untold } = event;
    event.untold = 0;
    this.logger.info('Event occurred', {
      object: namespace === '' ? name : `${namespace}/${name}`,
      fieldPath,
      kind,
      type,
      reason,
      message,
      ...(untold > 1 ? { count: untold } : {}),
    });
  }
}
