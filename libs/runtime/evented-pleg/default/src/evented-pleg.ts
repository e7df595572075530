import { CLOCK, LOGGER, METRICS, needs, pick, type Needs } from '@podwright/assembly-interface';
import type { Health } from '@podwright/assembly-interface';
import { abortable } from '@podwright/concurrency';
import type { RuntimePod } from '@podwright/container-runtime-interface';
import { RUNTIME_SERVICE } from '@podwright/cri-client-interface';
import type { ContainerEventResponse } from '@podwright/cri-client-interface';
import { KubeletError } from '@podwright/errors';
import type { CacheVouching, EventStream, EventStreamState, RuntimeView } from '@podwright/evented-pleg-interface';
import type { Logger } from '@podwright/logging';
import type { Pleg, PodLifecycleEvent, RelistControl, RelistOptions } from '@podwright/pleg-interface';
import { POD_RELIST } from '@podwright/pod-relist-interface';
import { formatGoDuration } from '@podwright/time';
import type { Timer } from '@podwright/time';
import { ContainerEvents } from './container-events.js';
import type { StreamEnd } from './container-events.js';
import { EchoCheck } from './echo-check.js';
import type { FoundChange } from './echo-check.js';
import { created, exited, isUnconfirmed, progressOfEvent, running } from './container-progress.js';
import type { Progress } from './container-progress.js';
import type { EventedPlegConfig } from './evented-pleg-config.js';
import { EventedPlegMetrics } from './evented-pleg-metrics.js';
import { PatientRequests } from './patient-requests.js';
import { UnconfirmedEvents } from './unconfirmed-events.js';

export const eventedPlegNeeds = needs({
  podRelist: POD_RELIST,
  runtime: pick(RUNTIME_SERVICE, 'getContainerEvents'),
  clock: CLOCK,
  logger: LOGGER,
  metrics: METRICS,
});

/**
 * {@link Pleg} that relists a pod when the runtime reports an event for it. The event only triggers the relist; the
 * status always comes from the relist. So a lost, late, doubled or wrong event cannot put a wrong status into the
 * cache. Source: kubernetes v1.36 pkg/kubelet/pleg/evented.go.
 */
export class EventedPleg implements Pleg, RelistControl, EventStream, RuntimeView, CacheVouching {
  private readonly stopping = new AbortController();
  private readonly logger: Logger;
  private readonly metrics: EventedPlegMetrics;
  private readonly events: ContainerEvents;
  private readonly echo: EchoCheck;
  private readonly unconfirmed: UnconfirmedEvents;
  private readonly patient: PatientRequests;
  private readonly unwatch: (() => void)[] = [];
  private reading: Promise<void> | undefined;
  private state: EventStreamState = 'down';
  private stateSinceMs = 0;
  private openSinceMs: number | undefined;
  private worked = false;
  private unsupported = false;
  private lastRelist: { readonly atMs: number; readonly wallMs: number } | undefined;
  private relisting: Promise<void> | undefined;
  private relistEndedMs = Number.NEGATIVE_INFINITY;
  /** True when a relist is due as soon as the short period allows. */
  private soon = false;
  private timer: Timer | undefined;
  private answers = withResolvers();
  private back = withResolvers();
  private away = false;
  private stalledMs = Number.NEGATIVE_INFINITY;

  constructor(
    private readonly deps: Needs<typeof eventedPlegNeeds>,
    private readonly config: EventedPlegConfig,
  ) {
    const { podRelist, runtime, clock, logger, metrics } = deps;
    this.logger = logger.with({ logger: 'evented-pleg' });
    this.metrics = new EventedPlegMetrics(metrics);
    this.echo = new EchoCheck(clock, config.echoTimeoutMs, (change) => this.stalled(change));
    const isUnconfirmedEvent = (podUid: string, id: string, said: Progress): boolean =>
      isUnconfirmed(podRelist.pod(podUid), id, said);
    this.unconfirmed = new UnconfirmedEvents(clock, isUnconfirmedEvent, (podUid) => podRelist.requestRelist(podUid));
    this.patient = new PatientRequests(clock, (podUid, newerThanMs) =>
      podRelist.requestRelist(podUid, { newerThanMs }),
    );
    this.events = new ContainerEvents(
      {
        runtime,
        clock,
        untilAnswers: () => this.answers.promise,
        untilBack: () => this.back.promise,
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
      this.deps.podRelist.watch((event) => this.found(event)),
      this.deps.podRelist.watchFailures(() => this.relistSoon()),
    );
    this.reading = this.events.run(signal);
    // At once, as the generic pleg does: nothing is synced before it has ended.
    this.relisting = this.relist();
  }

  async stop(): Promise<void> {
    this.stopping.abort(new KubeletError('pleg is stopping', { code: 'cancelled' }));
    this.timer?.cancel();
    this.echo.clear();
    this.unconfirmed.clear();
    this.patient.clear();
    for (const unwatch of this.unwatch) unwatch();
    await Promise.all([this.reading, this.relisting]);
  }

  watch(listener: (event: PodLifecycleEvent) => void): () => void {
    return this.deps.podRelist.watch((event) => {
      if (this.reading !== undefined && !this.stopping.signal.aborted) listener(event);
    });
  }

  requestRelist(podUid: string, options: RelistOptions = {}): void {
    if (this.reading === undefined || this.stopping.signal.aborted) return;
    const patient = !this.config.onDemandRelist || options.patient === true;
    if (!patient || options.inspect === true) this.deps.podRelist.requestRelist(podUid, { ...options, patient });
    // A patient request waits for the next periodic relist, unless that is the rare one of the safety net.
    if (!patient || !this.config.onDemandRelist || this.state === 'down') return;
    const newerThanMs = options.inspect === true ? undefined : options.newerThanMs;
    this.patient.add(podUid, newerThanMs ?? this.deps.clock.monotonic());
  }

  get streamState(): EventStreamState {
    return this.state;
  }

  pods(): readonly RuntimePod[] | undefined {
    return this.state === 'proven' && !this.soon ? this.deps.podRelist.pods() : undefined;
  }

  vouch(podUid: string, settledAtMs: number): boolean {
    const { signal } = this.stopping;
    if (this.state !== 'proven' || this.soon || signal.aborted || this.unconfirmed.has(podUid)) return false;
    // After that time the echo check would have found a stalled stream.
    const isQuiet = this.deps.clock.monotonic() - settledAtMs > this.config.echoTimeoutMs;
    return isQuiet && this.deps.podRelist.vouch(podUid);
  }

  healthy(): Health {
    if (this.lastRelist === undefined) return { ok: false, reason: 'pleg has yet to be successful' };
    const { state, config } = this;
    const nowMs = this.deps.clock.monotonic();
    // When the stream ends, the last relist of the safety net may already be older than the short threshold, so the age
    // counts from the end.
    const ageMs = nowMs - (state === 'down' ? Math.max(this.lastRelist.atMs, this.stateSinceMs) : this.lastRelist.atMs);
    const thresholdMs = state === 'down' ? config.relistThresholdMs : config.eventedRelistThresholdMs;
    this.metrics.lastSeen.set(Math.floor((state === 'down' ? this.lastRelist.wallMs : this.deps.clock.now()) / 1000));
    if (ageMs <= thresholdMs) return { ok: true };
    const reason = `pleg was last seen active ${formatGoDuration(ageMs)} ago; threshold is ${formatGoDuration(thresholdMs)}`;
    return { ok: false, reason };
  }

  private take(event: ContainerEventResponse): void {
    const { containerId, containerEventType, createdAt, podSandboxStatus } = event;
    this.metrics.latency.observe(Math.max(0, this.deps.clock.now() / 1000 - Number(createdAt) / 1e9));
    const said = progressOfEvent(containerEventType);
    this.logger.debug(4, 'container event', { containerId, containerEventType, createdAt: createdAt.toString() });
    if (said === undefined) return;
    if (this.echo.tell(containerId, said)) this.proven();
    // No component acts on a container that was only created; the next relist shows it.
    if (said === created) return;
    // The event has no sandbox when the runtime had already removed it.
    const podUid = podSandboxStatus?.metadata?.uid ?? this.podOf(containerId);
    if (podUid === undefined || podUid === '') return this.relistSoon();
    if (!isUnconfirmed(this.deps.podRelist.pod(podUid), containerId, said)) return;
    // A sync that starts, stops or removes something asks for a relist when that is done: milliseconds after the event
    // of a container, later after that of a sandbox. If that relist does not come, as after garbage collection, the event
    // stays unconfirmed and is relisted later. Only a container ends mostly by itself, and may have to start again.
    const isSandbox = podSandboxStatus?.id === containerId;
    const isSandboxStart = isSandbox && said === running;
    const isLeftToSync = isSandboxStart || (this.state === 'proven' && (isSandbox || said !== exited));
    if (!isLeftToSync) this.deps.podRelist.requestRelist(podUid);
    this.unconfirmed.add(podUid, containerId, said, { others: isSandboxStart });
  }

  private podOf(containerId: string): string | undefined {
    const has = ({ containers, sandboxes }: RuntimePod): boolean =>
      containers.some(({ id }) => id === containerId) || sandboxes.some(({ id }) => id === containerId);
    return this.deps.podRelist.pods().find(has)?.uid;
  }

  private found(event: PodLifecycleEvent): void {
    if (event.type === 'ContainerRemoved') return this.echo.forget(event.containerId);
    if (event.type !== 'ContainerStarted' && event.type !== 'ContainerDied') return;
    const { podUid, containerId } = event;
    // Runtimes differ in their events for sandboxes, so only containers are checked. A container that is already gone
    // may have ended before the stream began.
    if (this.deps.podRelist.pod(podUid)?.containers.some(({ id }) => id === containerId) !== true) return;
    const progress = event.type === 'ContainerStarted' ? running : exited;
    if (this.echo.find({ podUid, containerId, progress }, this.state !== 'down')) this.proven();
  }

  private proven(): void {
    this.worked = true;
    this.events.worked();
    if (this.state === 'unproven') this.enter('proven');
  }

  private stalled({ podUid, containerId }: FoundChange): void {
    const message = `a change of container ${containerId} of pod ${podUid} was seen, but no event has told it`;
    // Such as containerd 1.7 with a second reader, which shares the events out between both.
    const nowMs = this.deps.clock.monotonic();
    const lossy = nowMs - this.stalledMs < this.config.returnAfterMs;
    this.stalledMs = nowMs;
    this.events.fail(new KubeletError(message, { code: 'deadline-exceeded' }), { lossy });
  }

  private lost(end: StreamEnd): void {
    const { error, failures, givenUp, unsupported, retryAfterMs } = end;
    this.metrics.connectionErrors.increment();
    this.openSinceMs = undefined;
    this.worked = false;
    this.echo.clear();
    this.answers = withResolvers();
    this.back = withResolvers();
    const next = { relistPeriodMs: this.config.relistPeriodMs, retryAfterMs };
    const toldBefore = unsupported && this.unsupported;
    this.unsupported = unsupported;
    if (toldBefore) this.logger.debug(2, 'the runtime still has no container events', next);
    else if (unsupported) this.logger.info('the runtime has no container events: falling back to relisting', next);
    else if (givenUp)
      this.logger.warn('container events keep failing: falling back to relisting', { error, failures, ...next });
    else this.logger.warn('stream of container events ended: relisting meanwhile', { error, failures, ...next });
    if (this.state !== 'down') this.enter('down');
    this.relistSoon();
  }

  private enter(state: EventStreamState): void {
    const from = this.state;
    this.state = state;
    this.stateSinceMs = this.deps.clock.monotonic();
    const relistPeriodMs = this.periodMs();
    if (state !== 'down')
      this.logger.info(
        state === 'unproven'
          ? 'container events are open: relisting seldom until the first one proves right'
          : 'container events prove right: relisting is only the safety net',
        { relistPeriodMs },
      );
    // Until now, patient requests were left to the next periodic relist.
    if (from === 'down') this.soon = true;
    this.schedule();
  }

  private relistSoon(): void {
    this.soon = true;
    this.schedule();
  }

  private periodMs(): number {
    const { config, state } = this;
    if (state === 'down') return config.relistPeriodMs;
    return state === 'unproven' ? config.trialRelistPeriodMs : config.eventedRelistPeriodMs;
  }

  private schedule(): void {
    this.timer?.cancel();
    if (this.stopping.signal.aborted || this.relisting !== undefined) return;
    // A failed inspection is retried as soon as it would be without events.
    const hurry = this.soon || this.deps.podRelist.unsettled.size > 0;
    const dueMs =
      this.relistEndedMs + (hurry ? Math.min(this.config.relistPeriodMs, this.periodMs()) : this.periodMs());
    const relist = (): void => void (this.relisting = this.relist());
    this.timer = this.deps.clock.setTimer(Math.max(0, dueMs - this.deps.clock.monotonic()), relist);
  }

  private async relist(): Promise<void> {
    const { signal } = this.stopping;
    this.soon = false;
    // Stamped before the call: a runtime that answers slowly must age the health check.
    const seen = { atMs: this.deps.clock.monotonic(), wallMs: this.deps.clock.now() };
    try {
      await abortable(this.deps.podRelist.relist(), signal);
      this.lastRelist = seen;
      this.answers.resolve();
      if (this.away) this.back.resolve();
      this.away = false;
    } catch (error) {
      if (signal.aborted) return;
      this.soon = true;
      this.away = true;
      this.logger.error('relist failed, retrying next period', { error });
    }
    this.relisting = undefined;
    this.relistEndedMs = this.deps.clock.monotonic();
    const { openSinceMs } = this;
    // This relist covers everything before the stream began, and the stream has lasted long enough.
    if (this.state === 'down' && openSinceMs !== undefined && seen === this.lastRelist) {
      if (seen.atMs - openSinceMs >= this.config.settleMs) {
        this.metrics.connections.increment();
        return this.enter(this.worked ? 'proven' : 'unproven');
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
