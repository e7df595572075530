import {
  CLOCK,
  LOGGER,
  METRICS,
  needs,
  optional,
  pick,
  RANDOM,
  type Lifecycle,
  type Needs,
} from '@podwright/assembly-interface';
import { KubeletError } from '@podwright/errors';
import type { EventObject, EventRecorder, EventType, RecentEvents, RecordedEvent } from '@podwright/events-interface';
import { API_SERVER_WATCH, KUBE_CLIENT } from '@podwright/kube-client-interface';
import type { CoreEvent, ObjectReference } from '@podwright/kube-types';
import { limitRepeats, type Logger } from '@podwright/logging';
import { linkSignals } from '@podwright/time';
import { LogEventRecorder } from '../log-event-recorder.js';
import { ApiEventCorrelator } from './api-event-correlator.js';
import type { ApiEventRecorderConfig } from './api-event-recorder-config.js';
import { ApiEventSink, isAnswer, isExpectedRefusal } from './api-event-sink.js';
import { EventBacklog } from './event-backlog.js';
import { coreEventForm, eventsV1Form } from './event-form.js';
import { EventStamp } from './event-stamp.js';
import { objectReference } from './object-reference.js';

type Annotations = Readonly<Record<string, string>>;

const component = 'kubelet';
// Namespace in which the API server keeps events about objects without a namespace.
const namespaceOfNodeEvents = 'default';

export const apiEventRecorderNeeds = needs({
  client: pick(KUBE_CLIENT, 'create', 'patch'),
  server: optional(API_SERVER_WATCH),
  clock: CLOCK,
  random: RANDOM,
  logger: LOGGER,
  metrics: METRICS,
});

/**
 * {@link EventRecorder} that writes events to the API server, one after another, and to the log. Source: kubernetes
 * v1.36 staging/src/k8s.io/client-go/tools/record/event.go.
 */
export class ApiEventRecorder implements EventRecorder, RecentEvents, Lifecycle {
  private readonly log: LogEventRecorder;
  private readonly logger: Logger;
  private readonly stamp: EventStamp;
  private readonly correlator: ApiEventCorrelator;
  private readonly sink: ApiEventSink;
  private readonly backlog: EventBacklog;
  private readonly stopping = new AbortController();
  private sending: Promise<void> | undefined;
  private failing = false;

  constructor(
    private readonly deps: Needs<typeof apiEventRecorderNeeds>,
    private readonly config: ApiEventRecorderConfig,
  ) {
    const { client, clock, random, logger, metrics } = deps;
    this.log = new LogEventRecorder({ clock, logger, metrics }, config);
    this.logger = limitRepeats(logger.with({ logger: 'events' }), clock);
    this.stamp = new EventStamp(clock, random);
    this.correlator = new ApiEventCorrelator(clock, config, ({ involvedObject, metadata: { namespace = '' } }) => ({
      metadata: { name: this.stamp.name(involvedObject.name ?? ''), namespace },
    }));
    this.sink = new ApiEventSink(client, config.form === 'core' ? coreEventForm : eventsV1Form);
    this.backlog = new EventBacklog(deps.server, clock, config);
  }

  /** Starts sending, including events recorded before. */
  async start(): Promise<void> {
    if (!this.stopping.signal.aborted) this.sending ??= this.send();
  }

  /** As upstream, drops events that are not sent yet. */
  async stop(): Promise<void> {
    this.stopping.abort(new KubeletError('the recorder was stopped', { code: 'cancelled' }));
    await this.sending;
    await this.log.stop();
  }

  event(object: EventObject, type: EventType, reason: string, message: string, annotations: Annotations = {}): void {
    this.log.event(object, type, reason, message);
    if (this.stopping.signal.aborted) return;
    if (this.backlog.add(this.make(object, type, reason, message, annotations))) return;
    this.logger.error('Unable to record event: too many queued events, dropped event', { type, reason, text: message });
  }

  recent(): readonly RecordedEvent[] {
    return this.log.recent();
  }

  private make(
    object: EventObject,
    type: EventType,
    reason: string,
    message: string,
    annotations: Annotations,
  ): CoreEvent {
    const { nodeName } = this.config;
    const involvedObject = this.reference(object);
    const at = this.stamp.time();
    return {
      apiVersion: 'v1',
      kind: 'Event',
      metadata: {
        name: this.stamp.name(involvedObject.name ?? ''),
        // As in Go, an empty namespace counts as none.
        namespace: involvedObject.namespace || namespaceOfNodeEvents,
        ...(Object.keys(annotations).length > 0 && { annotations: { ...annotations } }),
      },
      involvedObject,
      reason,
      message,
      type,
      source: { component, host: nodeName },
      firstTimestamp: at,
      lastTimestamp: at,
      count: 1,
      reportingComponent: component,
      reportingInstance: nodeName,
    };
  }

  private reference(object: EventObject): ObjectReference {
    const { nodeName } = this.config;
    // Upstream v1.36 sets no UID. `kubectl describe node` looks for the UID and for the name in its place, so it misses
    // those events.
    if (object.kind === 'Node') return { apiVersion: 'v1', kind: 'Node', name: nodeName, uid: nodeName };
    if (object.kind !== 'Pod') return objectReference(object.kind, object.object.metadata ?? {});
    const pod = objectReference('Pod', object.pod.metadata);
    return object.fieldPath === undefined ? pod : { ...pod, fieldPath: object.fieldPath };
  }

  private async send(): Promise<void> {
    const { signal } = this.stopping;
    for (;;) {
      const next = await this.backlog.next(signal);
      if (next === undefined) return;
      const event = this.correlator.correlate(next);
      if (event !== undefined) await this.write(event);
    }
  }

  private async write(event: CoreEvent): Promise<void> {
    const { signal } = this.stopping;
    const { maxTries, retryMs } = this.config;
    for (let tries = 1; !signal.aborted; tries += 1) {
      try {
        this.correlator.update(await this.sink.write(event, signal));
        if (this.failing) this.logger.info('Events are written to the API server again');
        this.failing = false;
        return;
      } catch (error) {
        if (signal.aborted || this.refused(event, error)) return;
        // Log once; upstream logs each attempt, which fills the log while the server is unavailable.
        if (!this.failing)
          this.logger.error('Unable to write event (may retry after sleeping)', { error, ...facts(event) });
        this.failing = true;
        if (tries >= maxTries) {
          this.logger.error('Unable to write event (retry limit exceeded!)', { error, ...facts(event) });
          return;
        }
      }
      // Random, because all nodes lost the server at the same moment and must not return in step.
      await this.pause(tries === 1 ? retryMs * this.deps.random.next('events') : retryMs);
    }
  }

  /** Resolves early at the stop, and when the server answers others again; upstream waits the pause to its end. */
  private async pause(ms: number): Promise<void> {
    const waking = linkSignals(this.stopping.signal);
    const leave = this.deps.server?.onServerBack(() => waking.abort());
    try {
      await this.deps.clock.sleep(ms, waking.signal);
    } catch (error) {
      if (!waking.signal.aborted) throw error;
    } finally {
      waking.dispose();
      leave?.();
    }
  }

  private refused(event: CoreEvent, error: unknown): boolean {
    if (!isAnswer(error)) return false;
    const text = 'Server rejected event (will not retry!)';
    if (isExpectedRefusal(error)) this.logger.debug(5, text, { error, ...facts(event) });
    else this.logger.error(text, { error, ...facts(event) });
    return true;
  }
}

function facts({ metadata, reason, type, message }: CoreEvent): Readonly<Record<string, unknown>> {
  return { event: `${metadata.namespace ?? ''}/${metadata.name ?? ''}`, type, reason, text: message };
}
