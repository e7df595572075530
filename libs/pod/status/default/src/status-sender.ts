import { CLOCK, LOGGER, METRICS, RANDOM } from '@podwright/assembly-interface';
import { KubeletError } from '@podwright/errors';
import { KUBE_CLIENT, type KubeClient } from '@podwright/kube-client-interface';
import { configMirrorAnnotation, podUid, type Pod } from '@podwright/kube-types';
import type { Logger } from '@podwright/logging';
import type { MetricsRegistry } from '@podwright/metrics';
import { API_POD_STORE, type ApiPodStore } from '@podwright/pod-config-interface';
import { POD_MANAGER, type PodManager } from '@podwright/pod-manager-interface';
import { POD_LIFECYCLE, type PodLifecycle } from '@podwright/pod-workers-interface';
import type { StatusDelivery } from '@podwright/status-interface';
import type { Clock, Random } from '@podwright/time';
import { inject, injectable } from 'tsyringe';
import { DeliveryDurations } from './delivery-durations.js';
import { DeliveryWaiters } from './delivery-waiters.js';
import { normalizeStatus } from './normalize-status.js';
import { PodStartDurations } from './pod-start-durations.js';
import { PodStatusManager } from './pod-status-manager.js';
import { sameShownStatus } from './same-status.js';
import { SendQueue } from './send-queue.js';
import { SendRetries } from './send-retries.js';
import { SentStatuses } from './sent-statuses.js';
import { canBeDeleted, exchangeStatus, showsPod, type ExchangeOutcome } from './status-exchange.js';
import { STATUS_SENDER_CONFIG, type StatusSenderConfig } from './status-sender-config.js';
import type { VersionedStatus } from './versioned-status.js';

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
  private readonly retries: SendRetries;
  private readonly sent = new SentStatuses();
  private readonly running = new Set<Promise<void>>();
  private readonly durations: DeliveryDurations;
  /** The watch told of these while their status was on its way, mostly of that status itself. */
  private readonly seenMeanwhile = new Set<string>();
  private readonly waiters = new DeliveryWaiters();
  private readonly subscriptions: (() => void)[] = [];
  private passes: Promise<void> = Promise.resolve();
  private pumping = false;

  constructor(
    @inject(PodStatusManager) private readonly statuses: PodStatusManager,
    @inject(KUBE_CLIENT) private readonly client: Pick<KubeClient, 'get' | 'patch' | 'delete' | 'server'>,
    @inject(API_POD_STORE) private readonly store: ApiPodStore,
    @inject(POD_MANAGER) private readonly pods: PodManager,
    @inject(POD_LIFECYCLE) private readonly lifecycle: Pick<PodLifecycle, 'couldHaveRunningContainers'>,
    @inject(CLOCK) private readonly clock: Clock,
    @inject(RANDOM) random: Random,
    @inject(LOGGER) private readonly logger: Logger,
    @inject(METRICS) metrics: MetricsRegistry,
    @inject(STATUS_SENDER_CONFIG) private readonly config: StatusSenderConfig,
    @inject(PodStartDurations) private readonly starts: PodStartDurations,
  ) {
    this.retries = new SendRetries({
      ...{ clock, random, logger, client, longestPauseMs: config.syncPeriodMs },
      onPauseOver: () => this.pump(),
    });
    this.durations = new DeliveryDurations(clock, metrics);
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
    this.queue.clear();
    this.retries.stop();
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
    await this.waiters.wait(open, signal);
  }

  private noteChange(uid: string): void {
    this.durations.changed(uid);
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
    if (this.stopping.signal.aborted) return;
    const places = this.retries.places(this.config.maxConcurrent);
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
      this.retries.succeeded(uid);
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
    this.durations.forget(uid);
    this.retries.reset(uid);
  }

  private observe(uid: string, { version }: VersionedStatus): void {
    this.durations.accepted(uid, (this.statuses.entry(uid)?.version ?? 0) > version);
  }

  private noteFailure(uid: string, entry: VersionedStatus | undefined, error: unknown): void {
    const isAway = this.retries.failed(uid, entry === undefined ? uid : `${entry.namespace}/${entry.name}`, error);
    if (isAway && entry !== undefined) this.queue.add(uid, this.isUrgent(uid, entry));
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
    for (const uid of [...this.durations.podUids(), ...this.retries.podUids()])
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
    this.retries.forget(uid);
    this.durations.forget(uid);
  }

  private tellWaiters(): void {
    this.waiters.tell((uid, version) => this.statuses.entry(uid) === undefined || this.sent.hasVersion(uid, version));
  }
}

const isReady = ({ conditions }: VersionedStatus['status']): boolean =>
  conditions?.some(({ type, status }) => type === 'Ready' && status === 'True') ?? false;
