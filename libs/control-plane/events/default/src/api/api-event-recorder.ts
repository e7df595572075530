import { CLOCK, LOGGER, METRICS, RANDOM, type Lifecycle, decodeOptions } from '@podwright/assembly-interface';
import { AsyncQueue } from '@podwright/concurrency';
import { CONTAINER_REF, type ContainerRef } from '@podwright/container-ref-interface';
import { KubeletError } from '@podwright/errors';
import type { EventObject, EventRecorder, EventType, RecentEvents, RecordedEvent } from '@podwright/events-interface';
import { KUBE_CLIENT, type KubeClient } from '@podwright/kube-client-interface';
import type { CoreEvent, ObjectReference } from '@podwright/kube-types';
import { limitRepeats, type Logger } from '@podwright/logging';
import type { MetricsRegistry } from '@podwright/metrics';
import type { Clock, Random } from '@podwright/time';
import { inject, injectable } from 'tsyringe';
import { LogEventRecorder } from '../log-event-recorder.js';
import { ApiEventCorrelator } from './api-event-correlator.js';
import { API_EVENT_RECORDER_CONFIG, apiEventRecorderConfigSchema } from './api-event-recorder-config.js';
import type { ApiEventRecorderConfig } from './api-event-recorder-config.js';
import { ApiEventSink, isAnswer, isExpectedRefusal } from './api-event-sink.js';
import { coreEventForm, eventsV1Form } from './event-form.js';
import { EventStamp } from './event-stamp.js';

type Annotations = Readonly<Record<string, string>>;

const component = 'kubelet';
// Where the API server keeps events about objects without a namespace.
const namespaceOfNodeEvents = 'default';

/**
 * {@link EventRecorder} that writes events to the API server, one after the other, and into the log. Source: kubernetes
 * v1.36 staging/src/k8s.io/client-go/tools/record/event.go.
 */
@injectable()
export class ApiEventRecorder implements EventRecorder, RecentEvents, Lifecycle {
  private readonly log: LogEventRecorder;
  private readonly logger: Logger;
  private readonly stamp: EventStamp;
  private readonly correlator: ApiEventCorrelator;
  private readonly sink: ApiEventSink;
  private readonly queue: AsyncQueue<CoreEvent>;
  private readonly stopping = new AbortController();
  private sending: Promise<void> | undefined;
  private failing = false;

  constructor(
    @inject(KUBE_CLIENT) client: Pick<KubeClient, 'create' | 'patch'>,
    @inject(CONTAINER_REF) private readonly containerRef: ContainerRef,
    @inject(CLOCK) private readonly clock: Clock,
    @inject(RANDOM) private readonly random: Random,
    @inject(LOGGER) logger: Logger,
    @inject(METRICS) metrics: MetricsRegistry,
    @inject(API_EVENT_RECORDER_CONFIG) private readonly config: ApiEventRecorderConfig,
  ) {
    this.log = new LogEventRecorder(clock, logger, metrics, config);
    this.logger = limitRepeats(logger.with({ logger: 'events' }), clock);
    this.stamp = new EventStamp(clock, random);
    this.correlator = new ApiEventCorrelator(clock, config, ({ involvedObject, metadata: { namespace = '' } }) => ({
      metadata: { name: this.stamp.name(involvedObject.name ?? ''), namespace },
    }));
    this.sink = new ApiEventSink(client, config.form === 'core' ? coreEventForm : eventsV1Form);
    this.queue = new AsyncQueue({ capacity: config.maxQueued });
  }

  /** Events from before are sent now. */
  async start(): Promise<void> {
    if (!this.stopping.signal.aborted) this.sending ??= this.send();
  }

  /** What was not sent until now is dropped, as by upstream. */
  async stop(): Promise<void> {
    this.stopping.abort(new KubeletError('the recorder was stopped', { code: 'cancelled' }));
    this.queue.close();
    await this.sending;
    await this.log.stop();
  }

  event(object: EventObject, type: EventType, reason: string, message: string, annotations: Annotations = {}): void {
    this.log.event(object, type, reason, message);
    if (this.queue.closed || this.queue.push(this.make(object, type, reason, message, annotations))) return;
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
        // An empty one counts as none, as in Go.
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
    // Upstream's nodeRef: the name stands for the UID, also once the node exists.
    if (object.kind === 'Node') return { apiVersion: 'v1', kind: 'Node', name: nodeName, uid: nodeName };
    const pod = this.containerRef.ofPod(object.pod);
    return object.fieldPath === undefined ? pod : { ...pod, fieldPath: object.fieldPath };
  }

  private async send(): Promise<void> {
    for await (const raw of this.queue) {
      if (this.stopping.signal.aborted) return;
      const event = this.correlator.correlate(raw);
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
        // Upstream says so at each try, which fills the log while a server is away.
        if (!this.failing)
          this.logger.error('Unable to write event (may retry after sleeping)', { error, ...facts(event) });
        this.failing = true;
        if (tries >= maxTries) {
          this.logger.error('Unable to write event (retry limit exceeded!)', { error, ...facts(event) });
          return;
        }
      }
      // All nodes saw the same server go down; they must not come back to it in step.
      const delayMs = tries === 1 ? retryMs * this.random.next() : retryMs;
      await this.clock.sleep(delayMs, signal).catch(() => undefined); // The loop's condition sees the stop.
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

export interface ApiEventRecorderDeps {
  readonly client: Pick<KubeClient, 'create' | 'patch'>;
  readonly containerRef: ContainerRef;
  readonly clock: Clock;
  readonly random: Random;
  readonly logger: Logger;
  readonly metrics: MetricsRegistry;
}

/** Makes one without a container. Throws `invalid-argument` for options out of range. */
export function createApiEventRecorder(
  { client, containerRef, clock, random, logger, metrics }: ApiEventRecorderDeps,
  options: Partial<ApiEventRecorderConfig> = {},
): ApiEventRecorder {
  const config = decodeOptions('events', apiEventRecorderConfigSchema, options);
  return new ApiEventRecorder(client, containerRef, clock, random, logger, metrics, config);
}
