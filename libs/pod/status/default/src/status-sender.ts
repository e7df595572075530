import { CLOCK, LOGGER, METRICS, RANDOM } from '@podwright/assembly-interface';
import { WorkQueue } from '@podwright/concurrency';
import { hasCode, KubeletError, messageOf } from '@podwright/errors';
import { KUBE_CLIENT, type KubeClient } from '@podwright/kube-client-interface';
import { configMirrorAnnotation, podUid, type Pod } from '@podwright/kube-types';
import { TroubleLog, type Logger } from '@podwright/logging';
import type { Histogram, MetricsRegistry } from '@podwright/metrics';
import { API_POD_STORE, type ApiPodStore } from '@podwright/pod-config-interface';
import { POD_MANAGER, type PodManager } from '@podwright/pod-manager-interface';
import { POD_LIFECYCLE, type PodLifecycle } from '@podwright/pod-workers-interface';
import type { StatusDelivery } from '@podwright/status-interface';
import { abortReason, jitter, onAbort, type Clock, type Random, type Timer } from '@podwright/time';
import { inject, injectable } from 'tsyringe';
import { normalizeStatus } from './normalize-status.js';
import { PodStartDurations } from './pod-start-durations.js';
import { PodStatusManager } from './pod-status-manager.js';
import { sameShownStatus } from './same-status.js';
import { SendQueue } from './send-queue.js';
import { SentStatuses } from './sent-statuses.js';
import { canBeDeleted, exchangeStatus, showsPod, type ExchangeOutcome } from './status-exchange.js';
import { statusSyncDuration } from './status-metrics.js';
import { STATUS_SENDER_CONFIG, type StatusSenderConfig } from './status-sender-config.js';
import type { VersionedStatus } from './versioned-status.js';

const firstRetryMs = 500;

interface Waiter {
  readonly open: Map<string, number>;
  readonly resolve: () => void;
}

/**
 * Brings what the status manager accepts to the API server: for several pods at a time, for one pod one after the other,
 * always the newest. What fails is sent again after a pause; while the server is away one pod at a time finds out whether
 * it is back. All pods are compared with their API objects now and then, so that what somebody else changed is put right.
 * Source: kubernetes v1.36 pkg/kubelet/status/status_manager.go syncBatch.
 */
@injectable()
export class StatusSender implements StatusDelivery {
  private readonly stopping = new AbortController();
  private readonly queue = new SendQueue();
  private readonly retries: WorkQueue<string>;
  private readonly attempts = new Map<string, number>();
  private readonly sent = new SentStatuses();
  private readonly running = new Set<Promise<void>>();
  /** When the first change came that the API server has not accepted yet; monotonic milliseconds. */
  private readonly changedAt = new Map<string, number>();
  /** The watch told of these while their status was on its way, mostly of that status itself. */
  private readonly seenMeanwhile = new Set<string>();
  private readonly waiters = new Set<Waiter>();
  private readonly trouble: TroubleLog;
  private readonly duration: Histogram;
  private readonly subscriptions: (() => void)[] = [];
  private passes: Promise<void> = Promise.resolve();
  private outage: { tries: number; pause: Timer | undefined } | undefined;
  private pumping = false;

  constructor(
    @inject(PodStatusManager) private readonly statuses: PodStatusManager,
    @inject(KUBE_CLIENT) private readonly client: Pick<KubeClient, 'get' | 'patch' | 'delete' | 'server'>,
    @inject(API_POD_STORE) private readonly store: ApiPodStore,
    @inject(POD_MANAGER) private readonly pods: PodManager,
    @inject(POD_LIFECYCLE) private readonly lifecycle: Pick<PodLifecycle, 'couldHaveRunningContainers'>,
    @inject(CLOCK) private readonly clock: Clock,
    @inject(RANDOM) private readonly random: Random,
    @inject(LOGGER) private readonly logger: Logger,
    @inject(METRICS) metrics: MetricsRegistry,
    @inject(STATUS_SENDER_CONFIG) private readonly config: StatusSenderConfig,
    @inject(PodStartDurations) private readonly starts: PodStartDurations,
  ) {
    this.retries = new WorkQueue<string>({ clock });
    this.trouble = new TroubleLog(logger, clock);
    this.duration = statusSyncDuration(metrics);
  }

  async start(): Promise<void> {
    if (this.subscriptions.length > 0) return;
    this.logger.info('Starting to sync pod status with apiserver');
    this.subscriptions.push(
      this.statuses.watch((uid) => this.noteChange(uid)),
      this.store.watch((pod) => this.starts.observe(pod)),
      this.store.watch((pod) => this.noteApiPod(pod)),
      this.retries.watch((uid) => this.submit(uid)),
    );
    this.passes = this.clock.every(this.config.syncPeriodMs, () => this.pass(), this.stopping.signal);
  }

  async stop(): Promise<void> {
    this.stopping.abort(new KubeletError('statuses are no longer sent', { code: 'cancelled' }));
    for (const unsubscribe of this.subscriptions) unsubscribe();
    this.outage?.pause?.cancel();
    this.queue.clear();
    this.retries.clear();
    await this.passes;
    await Promise.all(this.running);
  }

  async delivered(podUids: readonly string[], signal: AbortSignal): Promise<void> {
    signal.throwIfAborted();
    const open = new Map<string, number>();
    for (const given of podUids) {
      const uid = this.pods.translatePodUid(given);
      const entry = this.statuses.entry(uid);
      if (entry !== undefined && this.isBehind(uid, entry)) open.set(uid, entry.version);
    }
    if (open.size === 0) return;
    await new Promise<void>((resolve, reject) => {
      const waiter: Waiter = { open, resolve: () => (unsubscribe(), resolve()) };
      const unsubscribe = onAbort(signal, () => {
        this.waiters.delete(waiter);
        reject(abortReason(signal));
      });
      this.waiters.add(waiter);
    });
  }

  private noteChange(uid: string): void {
    if (!this.changedAt.has(uid)) this.changedAt.set(uid, this.clock.monotonic());
    this.submit(uid);
  }

  // A mirror pod that has just been made shows nothing yet; a pod that ended long ago may be deleted only now.
  private noteApiPod(pod: Pod): void {
    const uid = pod.metadata.annotations?.[configMirrorAnnotation] ?? podUid(pod);
    const entry = this.statuses.entry(uid);
    if (entry === undefined || entry.version === 0 || !showsPod(pod, uid, entry)) return;
    if (this.queue.isRunning(uid)) {
      this.seenMeanwhile.add(uid);
      return;
    }
    if (this.sent.isAccepted(uid, podUid(pod), entry.version) && !canBeDeleted(pod, entry)) return;
    this.submit(uid);
  }

  private submit(uid: string): void {
    const entry = this.statuses.entry(uid);
    if (entry === undefined || entry.version === 0 || this.stopping.signal.aborted) return;
    this.queue.add(uid, this.isUrgent(uid, entry));
    this.pumpSoon();
  }

  // Others wait for these: services for readiness, schedulers and controllers for the end.
  private isUrgent(uid: string, { status, finished }: VersionedStatus): boolean {
    const ended = status.phase === 'Succeeded' || status.phase === 'Failed';
    return finished || ended || isReady(status) !== this.sent.wasReady(uid);
  }

  // In a later microtask: what is accepted in one go is sent in one go.
  private pumpSoon(): void {
    if (this.pumping) return;
    this.pumping = true;
    queueMicrotask(() => {
      this.pumping = false;
      this.pump();
    });
  }

  private pump(): void {
    if (this.stopping.signal.aborted || this.outage?.pause !== undefined) return;
    const places = this.outage === undefined ? this.config.maxConcurrent : 1;
    while (this.queue.running < places) {
      const uid = this.queue.take();
      if (uid === undefined) return;
      const sending: Promise<void> = this.send(uid).finally(() => this.running.delete(sending));
      this.running.add(sending);
    }
  }

  private async send(uid: string): Promise<void> {
    const entry = this.statuses.entry(uid);
    try {
      if (entry === undefined) return;
      const known = this.known(uid, entry);
      // Nothing to send to: a static pod has no mirror pod yet, or the object is gone as far as the watch knows.
      if (known === undefined && this.store.hasSynced()) {
        this.noteGone(uid, entry);
        return;
      }
      if (known === undefined && entry.staticPod) return;
      const outcome = await exchangeStatus({
        client: this.client,
        podUid: uid,
        entry,
        known: known === 'unsure' ? undefined : known,
        couldHaveRunningContainers: this.lifecycle.couldHaveRunningContainers(uid),
        now: new Date(this.clock.now()).toISOString().replace(/\.\d+Z$/, 'Z'),
        signal: this.stopping.signal,
      });
      this.settle(uid, entry, outcome);
      this.noteSuccess(uid);
    } catch (error) {
      if (!this.stopping.signal.aborted) this.noteFailure(uid, entry, error);
    } finally {
      this.queue.finish(uid);
      this.lookAgain(uid);
      this.tellWaiters();
      this.pump();
    }
  }

  private lookAgain(uid: string): void {
    const entry = this.seenMeanwhile.delete(uid) ? this.statuses.entry(uid) : undefined;
    const pod = entry && this.store.get(entry.namespace, entry.name);
    if (pod !== undefined) this.noteApiPod(pod);
  }

  private settle(uid: string, entry: VersionedStatus, outcome: ExchangeOutcome): void {
    const pod = `${entry.namespace}/${entry.name}`;
    switch (outcome.kind) {
      case 'accepted':
        this.sent.accept(uid, entry, outcome.pod);
        this.observe(uid, entry);
        // Accepted in the meantime.
        if ((this.statuses.entry(uid)?.version ?? 0) > entry.version) this.submit(uid);
        return;
      case 'deleted':
        this.logger.debug(3, 'Pod fully terminated and removed from etcd', { pod });
        this.observe(uid, entry);
        this.forget(uid);
        this.statuses.drop(uid);
        return;
      case 'foreign':
        if (entry.staticPod) return;
        this.logger.debug(2, 'Pod was deleted and then recreated, skipping status update', { pod, oldPodUid: uid });
        this.forget(uid);
        this.statuses.drop(uid);
        return;
      case 'gone':
        this.logger.debug(3, 'Pod does not exist on the server', { pod, podUid: uid });
        this.noteGone(uid, entry);
    }
  }

  // Its status goes when housekeeping finds that nobody wants the pod.
  private noteGone(uid: string, entry: VersionedStatus): void {
    this.sent.accept(uid, entry, undefined);
    this.changedAt.delete(uid);
    this.attempts.delete(uid);
  }

  private observe(uid: string, { version }: VersionedStatus): void {
    const since = this.changedAt.get(uid);
    if (since === undefined) return;
    const now = this.clock.monotonic();
    this.duration.observe((now - since) / 1000);
    if ((this.statuses.entry(uid)?.version ?? 0) > version) this.changedAt.set(uid, now);
    else this.changedAt.delete(uid);
  }

  private noteSuccess(uid: string): void {
    this.attempts.delete(uid);
    this.retries.delete(uid);
    this.outage?.pause?.cancel();
    this.outage = undefined;
    if (this.attempts.size === 0) this.trouble.over('Statuses of pods reach the API server again');
  }

  private noteFailure(uid: string, entry: VersionedStatus | undefined, error: unknown): void {
    const attempts = (this.attempts.get(uid) ?? 0) + 1;
    this.attempts.set(uid, attempts);
    const { code } = KubeletError.from(error);
    const pod = entry === undefined ? uid : `${entry.namespace}/${entry.name}`;
    const message = `Failed to update status for pod; it is sent again until ${this.client.server} takes it`;
    this.trouble.failed(code, message, { pod, error: messageOf(error) });
    if (!hasCode(error, 'unavailable') && !hasCode(error, 'deadline-exceeded')) {
      this.retries.enqueue(uid, this.retryDelayMs(attempts));
      return;
    }
    if (entry !== undefined) this.queue.add(uid, this.isUrgent(uid, entry));
    if (this.outage?.pause !== undefined) return;
    const tries = (this.outage?.tries ?? 0) + 1;
    const pause = this.clock.setTimer(this.retryDelayMs(tries), () => {
      this.outage = { tries, pause: undefined };
      this.pump();
    });
    this.outage = { tries, pause };
  }

  private retryDelayMs(tries: number): number {
    const delayMs = Math.min(this.config.syncPeriodMs, firstRetryMs * 2 ** Math.min(tries - 1, 10));
    return jitter(this.random, delayMs, 0.5);
  }

  /** The newest state that is known of the API object; `unsure`: which of two is newer cannot be told. */
  private known(uid: string, entry: VersionedStatus): Pod | 'unsure' | undefined {
    const watched = this.store.get(entry.namespace, entry.name);
    const shown = watched !== undefined && showsPod(watched, uid, entry) ? watched : undefined;
    return this.sent.newest(uid, shown) ?? (entry.staticPod ? undefined : watched);
  }

  private isBehind(uid: string, { version }: VersionedStatus): boolean {
    return version > 0 && !this.sent.hasVersion(uid, version);
  }

  // Some members of an object may have been changed by others, and some changes are not told to anybody.
  private pass(): void {
    this.sent.keepOnly(this.statuses.entries());
    for (const uid of [...this.changedAt.keys(), ...this.attempts.keys()])
      if (this.statuses.entry(uid) === undefined) this.forget(uid);
    for (const [uid, entry] of this.statuses.entries()) {
      const known = entry.version === 0 ? undefined : this.known(uid, entry);
      if (known === undefined) continue;
      if (known === 'unsure' || this.needsSending(uid, entry, known)) this.submit(uid);
    }
    this.starts.forgetAllBut((uid) => this.pods.getPodByUid(this.pods.translatePodUid(uid)) !== undefined);
    this.tellWaiters();
  }

  private needsSending(uid: string, entry: VersionedStatus, known: Pod): boolean {
    if (!this.sent.isAccepted(uid, podUid(known), entry.version) || canBeDeleted(known, entry)) return true;
    if (this.sent.wasCompared(uid, known, entry)) return false;
    if (!sameShownStatus(normalizeStatus(known, known.status ?? {}), entry.status)) return true;
    this.sent.noteCompared(uid, known, entry);
    return false;
  }

  private forget(uid: string): void {
    this.sent.forget(uid);
    this.attempts.delete(uid);
    this.retries.delete(uid);
    this.changedAt.delete(uid);
  }

  private tellWaiters(): void {
    for (const waiter of [...this.waiters]) {
      for (const [uid, version] of waiter.open)
        if (this.statuses.entry(uid) === undefined || this.sent.hasVersion(uid, version)) waiter.open.delete(uid);
      if (waiter.open.size > 0) continue;
      this.waiters.delete(waiter);
      waiter.resolve();
    }
  }
}

const isReady = ({ conditions }: VersionedStatus['status']): boolean =>
  conditions?.some(({ type, status }) => type === 'Ready' && status === 'True') ?? false;
