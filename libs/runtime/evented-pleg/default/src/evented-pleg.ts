import { CLOCK, LOGGER, METRICS, decodeOptions } from '@podwright/assembly-interface';
import type { Health } from '@podwright/assembly-interface';
import { abortable } from '@podwright/concurrency';
import type { RuntimePod } from '@podwright/container-runtime-interface';
import { RUNTIME_SERVICE } from '@podwright/cri-client-interface';
import type { ContainerEventResponse, RuntimeService } from '@podwright/cri-client-interface';
import { KubeletError } from '@podwright/errors';
import type { Logger } from '@podwright/logging';
import type { MetricsRegistry } from '@podwright/metrics';
import type { Pleg, PodLifecycleEvent, RelistControl, RelistOptions, RuntimeView } from '@podwright/pleg-interface';
import { POD_RELIST } from '@podwright/pod-relist-interface';
import type { PodRelist } from '@podwright/pod-relist-interface';
import { formatGoDuration } from '@podwright/time';
import type { Clock, Timer } from '@podwright/time';
import { inject, injectable } from 'tsyringe';
import { ContainerEvents } from './container-events.js';
import type { StreamEnd } from './container-events.js';
import { EchoCheck } from './echo-check.js';
import type { FoundChange } from './echo-check.js';
import { created, exited, isNews, progressOfEvent, running } from './event-news.js';
import type { Progress } from './event-news.js';
import { EVENTED_PLEG_CONFIG, eventedPlegConfigSchema } from './evented-pleg-config.js';
import type { EventedPlegConfig } from './evented-pleg-config.js';
import { EventedPlegMetrics } from './evented-pleg-metrics.js';
import { UnconfirmedNews } from './unconfirmed-news.js';

/**
 * Where changes come from: `lists` each period; `trial`: a stream is open, but has not told any change that a look confirms;
 * `events`: it has, and lists are the safety net.
 */
type Mode = 'lists' | 'trial' | 'events';

/**
 * {@link Pleg} that looks at a pod when the runtime tells an event of it. What an event says is only the reason for the look:
 * the status always comes from the look, so a lost, late, doubled or wrong event cannot put a wrong status into the cache.
 * Source: kubernetes v1.36 pkg/kubelet/pleg/evented.go.
 */
@injectable()
export class EventedPleg implements Pleg, RelistControl, RuntimeView {
  private readonly stopping = new AbortController();
  private readonly logger: Logger;
  private readonly metrics: EventedPlegMetrics;
  private readonly events: ContainerEvents;
  private readonly echo: EchoCheck;
  private readonly unconfirmed: UnconfirmedNews;
  private readonly unwatch: (() => void)[] = [];
  private reading: Promise<void> | undefined;
  private mode: Mode = 'lists';
  private modeSinceMs = 0;
  private openSinceMs: number | undefined;
  private worked = false;
  private unsupported = false;
  private lastRelist: { readonly atMs: number; readonly wallMs: number } | undefined;
  private relisting: Promise<void> | undefined;
  private relistEndedMs = Number.NEGATIVE_INFINITY;
  /** A relist is needed as soon as the short period allows. */
  private soon = false;
  private timer: Timer | undefined;
  private answers = withResolvers();

  constructor(
    @inject(POD_RELIST) private readonly podRelist: PodRelist,
    @inject(RUNTIME_SERVICE) runtime: RuntimeService,
    @inject(CLOCK) private readonly clock: Clock,
    @inject(LOGGER) logger: Logger,
    @inject(METRICS) metrics: MetricsRegistry,
    @inject(EVENTED_PLEG_CONFIG) private readonly config: EventedPlegConfig,
  ) {
    this.logger = logger.with({ logger: 'evented-pleg' });
    this.metrics = new EventedPlegMetrics(metrics);
    this.echo = new EchoCheck(clock, config.echoTimeoutMs, (change) => this.stalled(change));
    const news = (podUid: string, id: string, said: Progress): boolean => isNews(podRelist.pod(podUid), id, said);
    this.unconfirmed = new UnconfirmedNews(clock, news, (podUid) => podRelist.requestRelist(podUid));
    this.events = new ContainerEvents(
      {
        runtime,
        clock,
        untilAnswers: () => this.answers.promise,
        onOpen: () => (this.openSinceMs = clock.monotonic()),
        onEvent: (event) => this.take(event),
        onEnd: (end) => this.lost(end),
      },
      config,
    );
  }

  // A runtime that is down is not a start failure: the node must come up and report NotReady.
  async start(): Promise<void> {
    const { signal } = this.stopping;
    if (this.reading !== undefined || signal.aborted) return;
    this.unwatch.push(
      this.podRelist.watch((event) => this.found(event)),
      this.podRelist.watchFailures(() => this.relistSoon()),
    );
    this.reading = this.events.run(signal);
    this.schedule();
  }

  async stop(): Promise<void> {
    this.stopping.abort(new KubeletError('pleg is stopping', { code: 'cancelled' }));
    this.timer?.cancel();
    this.echo.clear();
    this.unconfirmed.clear();
    for (const unwatch of this.unwatch) unwatch();
    await Promise.all([this.reading, this.relisting]);
  }

  watch(listener: (event: PodLifecycleEvent) => void): () => void {
    return this.podRelist.watch((event) => {
      if (this.reading !== undefined && !this.stopping.signal.aborted) listener(event);
    });
  }

  requestRelist(podUid: string, options: RelistOptions = {}): void {
    if (this.reading === undefined || this.stopping.signal.aborted) return;
    const { patient = false, settledAtMs } = options;
    // Who is patient waits for the next relist, but not for one of the safety net.
    if (patient && this.mode === 'lists') return;
    if (patient && this.isQuietSince(settledAtMs, podUid) && this.podRelist.vouch(podUid)) return;
    this.podRelist.requestRelist(podUid, options);
  }

  /** No event has told of the pod what a look has not shown, and a stream that fails would have been found out by now. */
  private isQuietSince(settledAtMs: number | undefined, podUid: string): boolean {
    if (settledAtMs === undefined || this.mode !== 'events' || this.soon || this.unconfirmed.has(podUid)) return false;
    return this.clock.monotonic() - settledAtMs > this.config.echoTimeoutMs;
  }

  pods(): readonly RuntimePod[] | undefined {
    return this.mode === 'events' && !this.soon ? this.podRelist.pods() : undefined;
  }

  healthy(): Health {
    if (this.lastRelist === undefined) return { ok: false, reason: 'pleg has yet to be successful' };
    const { mode, config } = this;
    const nowMs = this.clock.monotonic();
    // A relist of the safety net may be old already when the events end.
    const ageMs = nowMs - (mode === 'lists' ? Math.max(this.lastRelist.atMs, this.modeSinceMs) : this.lastRelist.atMs);
    const thresholdMs = mode === 'lists' ? config.relistThresholdMs : config.eventedRelistThresholdMs;
    this.metrics.lastSeen.set(Math.floor((mode === 'lists' ? this.lastRelist.wallMs : this.clock.now()) / 1000));
    if (ageMs <= thresholdMs) return { ok: true };
    const reason = `pleg was last seen active ${formatGoDuration(ageMs)} ago; threshold is ${formatGoDuration(thresholdMs)}`;
    return { ok: false, reason };
  }

  private take(event: ContainerEventResponse): void {
    const { containerId, containerEventType, createdAt, podSandboxStatus } = event;
    this.metrics.latency.observe(Math.max(0, this.clock.now() / 1000 - Number(createdAt) / 1e9));
    const said = progressOfEvent(containerEventType);
    this.logger.debug(4, 'container event', { containerId, containerEventType, createdAt: createdAt.toString() });
    if (said === undefined) return;
    if (this.echo.tell(containerId, said)) this.proven();
    // Nobody acts upon a container that was only made; the next look shows it.
    if (said === created) return;
    // The runtime could not tell the sandbox any more: it was removed meanwhile.
    const podUid = podSandboxStatus?.metadata?.uid ?? this.podOf(containerId);
    if (podUid === undefined || podUid === '') return this.relistSoon();
    if (!isNews(this.podRelist.pod(podUid), containerId, said)) return;
    // A sync goes on with the sandbox that it has made, and is followed by a look; one that nobody has asked for stays news.
    const isSandboxStart = said === running && podSandboxStatus?.id === containerId;
    if (!isSandboxStart) this.podRelist.requestRelist(podUid);
    this.unconfirmed.add(podUid, containerId, said, { others: isSandboxStart });
  }

  private podOf(containerId: string): string | undefined {
    const has = ({ containers, sandboxes }: RuntimePod): boolean =>
      containers.some(({ id }) => id === containerId) || sandboxes.some(({ id }) => id === containerId);
    return this.podRelist.pods().find(has)?.uid;
  }

  private found(event: PodLifecycleEvent): void {
    if (event.type === 'ContainerRemoved') return this.echo.forget(event.containerId);
    if (event.type !== 'ContainerStarted' && event.type !== 'ContainerDied') return;
    const { podUid, containerId } = event;
    // Runtimes differ in what they tell of sandboxes, and a container that is gone may have been so before the stream began.
    if (this.podRelist.pod(podUid)?.containers.some(({ id }) => id === containerId) !== true) return;
    const progress = event.type === 'ContainerStarted' ? running : exited;
    if (this.echo.find({ podUid, containerId, progress }, this.mode !== 'lists')) this.proven();
  }

  private proven(): void {
    this.worked = true;
    this.events.worked();
    if (this.mode === 'trial') this.enter('events');
  }

  private stalled({ podUid, containerId }: FoundChange): void {
    const message = `a change of container ${containerId} of pod ${podUid} was seen, but no event has told it`;
    this.events.fail(new KubeletError(message, { code: 'deadline-exceeded' }));
  }

  private lost(end: StreamEnd): void {
    const { error, failures, givenUp, unsupported, retryAfterMs } = end;
    this.metrics.connectionErrors.increment();
    this.openSinceMs = undefined;
    this.worked = false;
    this.echo.clear();
    this.answers = withResolvers();
    const next = { relistPeriodMs: this.config.relistPeriodMs, retryAfterMs };
    const toldBefore = unsupported && this.unsupported;
    this.unsupported = unsupported;
    if (toldBefore) this.logger.debug(2, 'the runtime still has no container events', next);
    else if (unsupported) this.logger.info('the runtime has no container events: falling back to relisting', next);
    else if (givenUp)
      this.logger.warn('container events keep failing: falling back to relisting', { error, failures, ...next });
    else this.logger.warn('stream of container events ended: relisting meanwhile', { error, failures, ...next });
    if (this.mode !== 'lists') this.enter('lists');
    this.relistSoon();
  }

  private enter(mode: Mode): void {
    const from = this.mode;
    this.mode = mode;
    this.modeSinceMs = this.clock.monotonic();
    const relistPeriodMs = this.periodMs();
    if (mode !== 'lists')
      this.logger.info(
        mode === 'trial'
          ? 'container events are open: relisting seldom until the first one proves right'
          : 'container events prove right: relisting is only the safety net',
        { relistPeriodMs },
      );
    // Patient requests of the last period were left to the next relist.
    if (from === 'lists') this.soon = true;
    this.schedule();
  }

  private relistSoon(): void {
    this.soon = true;
    this.schedule();
  }

  private periodMs(): number {
    const { config, mode } = this;
    if (mode === 'lists') return config.relistPeriodMs;
    return mode === 'trial' ? config.trialRelistPeriodMs : config.eventedRelistPeriodMs;
  }

  private schedule(): void {
    this.timer?.cancel();
    if (this.stopping.signal.aborted || this.relisting !== undefined) return;
    // A failed inspection is repeated as soon as without events.
    const hurry = this.soon || this.podRelist.unsettled.size > 0;
    const dueMs =
      this.relistEndedMs + (hurry ? Math.min(this.config.relistPeriodMs, this.periodMs()) : this.periodMs());
    const relist = (): void => void (this.relisting = this.relist());
    this.timer = this.clock.setTimer(Math.max(0, dueMs - this.clock.monotonic()), relist);
  }

  private async relist(): Promise<void> {
    const { signal } = this.stopping;
    this.soon = false;
    // Stamped before the call: a runtime that answers slowly must age the health check.
    const seen = { atMs: this.clock.monotonic(), wallMs: this.clock.now() };
    try {
      await abortable(this.podRelist.relist(), signal);
      this.lastRelist = seen;
      this.answers.resolve();
    } catch (error) {
      if (signal.aborted) return;
      this.soon = true;
      this.logger.error('relist failed, retrying next period', { error });
    }
    this.relisting = undefined;
    this.relistEndedMs = this.clock.monotonic();
    const { openSinceMs } = this;
    // All that was there before the stream began is known now, and it has not broken at once.
    if (this.mode === 'lists' && openSinceMs !== undefined && seen === this.lastRelist) {
      if (seen.atMs - openSinceMs >= this.config.settleMs) {
        this.metrics.connections.increment();
        return this.enter(this.worked ? 'events' : 'trial');
      }
    }
    this.schedule();
  }
}

function withResolvers(): { readonly promise: Promise<void>; readonly resolve: () => void } {
  let resolve = (): void => undefined;
  const promise = new Promise<void>((settle) => (resolve = settle));
  return { promise, resolve };
}

export interface EventedPlegDeps {
  readonly podRelist: PodRelist;
  readonly runtime: RuntimeService;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly metrics: MetricsRegistry;
}

/** Makes one without a container. Throws `invalid-argument` for options out of range. */
export function createEventedPleg(deps: EventedPlegDeps, options: Partial<EventedPlegConfig> = {}): EventedPleg {
  const config = decodeOptions('evented-pleg', eventedPlegConfigSchema, options);
  return new EventedPleg(deps.podRelist, deps.runtime, deps.clock, deps.logger, deps.metrics, config);
}
