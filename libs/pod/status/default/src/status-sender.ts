import { CLOCK, LOGGER, METRICS, needs, optional, pick, RANDOM, type Needs } from '@podwright/assembly-interface';
import { DRA_MANAGER } from '@podwright/dra-interface';
import { KubeletError } from '@podwright/errors';
import { API_SERVER_WATCH, KUBE_CLIENT } from '@podwright/kube-client-interface';
import { JOURNAL } from '@podwright/journal-interface';
import { configMirrorAnnotation, isTerminalPhase, podUid, type Pod } from '@podwright/kube-types';
import { API_POD_STORE } from '@podwright/pod-config-interface';
import { POD_MANAGER } from '@podwright/pod-manager-interface';
import { POD_LIFECYCLE } from '@podwright/pod-workers-interface';
import type { StatusDelivery } from '@podwright/status-interface';
import { formatRfc3339 } from '@podwright/time';
import { DeliveryDurations } from './delivery-durations.js';
import { DeliveryJournal } from './delivery-journal.js';
import { DeliveryWaiters } from './delivery-waiters.js';
import { haveAllEnded, HeldStatuses, saysLittleMore } from './held-statuses.js';
import { normalizeStatus } from './normalize-status.js';
import type { PodStartDurations } from './pod-start-durations.js';
import type { PodStatusManager } from './pod-status-manager.js';
import { sameShownStatus } from './same-status.js';
import { SendQueue } from './send-queue.js';
import { SendRetries } from './send-retries.js';
import { SentStatuses } from './sent-statuses.js';
import { canBeDeleted, exchangeStatus, showsPod, type ExchangeOutcome } from './status-exchange.js';
import { isReady, looksTheSame } from './status-reports.js';
import type { StatusSenderConfig } from './status-sender-config.js';
import type { VersionedStatus } from './versioned-status.js';

export const statusSenderNeeds = needs({
  client: pick(KUBE_CLIENT, 'get', 'patch', 'delete', 'server'),
  server: optional(pick(API_SERVER_WATCH, 'onServerBack')),
  store: API_POD_STORE,
  pods: POD_MANAGER,
  lifecycle: pick(POD_LIFECYCLE, 'couldHaveRunningContainers'),
  claims: optional(pick(DRA_MANAGER, 'holdsClaims')),
  clock: CLOCK,
  random: RANDOM,
  logger: LOGGER,
  metrics: METRICS,
  journal: optional(JOURNAL),
});
type StatusSenderDeps = Needs<typeof statusSenderNeeds> & {
  readonly statuses: PodStatusManager;
  readonly starts: PodStartDurations;
};

/**
 * Sends accepted statuses to the API server: several pods in parallel, one send at a time per pod, always the newest
 * status. Retries failures after a pause; while the server is unavailable, one pod at a time tests whether it is back.
 * Periodically compares all pods with their API objects and repairs what others have changed.
 * Source: kubernetes v1.36 pkg/kubelet/status/status_manager.go syncBatch.
 */
export class StatusSender implements StatusDelivery {
  private readonly stopping = new AbortController();
  private readonly queue = new SendQueue();
  private readonly retries: SendRetries;
  private readonly sent = new SentStatuses();
  private readonly running = new Set<Promise<void>>();
  private readonly durations: DeliveryDurations;
  private readonly journal: DeliveryJournal;
  /** Pods that the watch reported during their send, usually because of it. */
  private readonly seenMeanwhile = new Set<string>();
  private readonly waiters = new DeliveryWaiters();
  private readonly held: HeldStatuses;
  private readonly subscriptions: (() => void)[] = [];
  private passes: Promise<void> = Promise.resolve();
  private pumping = false;

  constructor(
    private readonly deps: StatusSenderDeps,
    private readonly config: StatusSenderConfig,
  ) {
    const { client, clock, random, logger, metrics } = deps;
    this.retries = new SendRetries({
      ...{ clock, random, logger, client, longestPauseMs: config.syncPeriodMs },
      onPauseOver: () => this.pump(),
    });
    this.durations = new DeliveryDurations(clock, metrics);
    this.journal = new DeliveryJournal(deps.journal);
    this.held = new HeldStatuses(clock, (uid) => this.submit(uid));
  }

  async start(): Promise<void> {
    if (this.subscriptions.length > 0) return;
    this.deps.logger.info('Starting to sync pod status with apiserver');
    this.subscriptions.push(
      this.deps.statuses.watch((uid) => this.noteChange(uid)),
      this.deps.store.watch((pod) => this.deps.starts.observe(pod)),
      this.deps.store.watch((pod) => this.noteApiPod(pod)),
      this.retries.watch((uid) => this.submit(uid)),
      this.deps.server?.onServerBack(() => this.retries.serverBack()) ?? (() => undefined),
    );
    this.passes = this.deps.clock.every(this.config.syncPeriodMs, () => this.pass(), this.stopping.signal);
  }

  async stop(): Promise<void> {
    this.stopping.abort(new KubeletError('statuses are no longer sent', { code: 'cancelled' }));
    for (const unsubscribe of this.subscriptions) unsubscribe();
    this.queue.clear();
    this.held.releaseAll();
    this.retries.stop();
    await this.passes;
    await Promise.all(this.running);
  }

  async delivered(podUids: readonly string[], signal: AbortSignal): Promise<void> {
    signal.throwIfAborted();
    const open = new Map<string, number>();
    for (const given of podUids) {
      const uid = this.deps.pods.translatePodUid(given);
      const entry = this.deps.statuses.entry(uid);
      if (entry !== undefined && this.isBehind(uid, entry)) open.set(uid, entry.version);
      if (this.held.has(uid)) {
        this.held.release(uid);
        this.submit(uid);
      }
    }
    await this.waiters.wait(open, signal);
  }

  private noteChange(uid: string): void {
    this.durations.changed(uid);
    this.submitOrHold(uid);
  }

  private submitOrHold(uid: string): void {
    const entry = this.deps.statuses.entry(uid);
    if (entry !== undefined && !entry.finished) {
      if (saysLittleMore(this.sent.shown(uid), entry.status)) return this.held.hold(uid);
      // The worker of a pod notes in a moment that its containers have ended; until then, the phase is kept back.
      if (isTerminalPhase(entry.status.phase) && haveAllEnded(entry.status) && this.couldRun(uid))
        return this.held.hold(uid, 0);
    }
    this.held.release(uid);
    this.submit(uid);
  }

  private couldRun(uid: string): boolean {
    return this.deps.lifecycle.couldHaveRunningContainers(uid) || this.deps.claims?.holdsClaims(uid) === true;
  }

  // A new mirror pod has no status yet; a pod that ended long ago may become deletable only now.
  private noteApiPod(pod: Pod): void {
    const uid = pod.metadata.annotations?.[configMirrorAnnotation] ?? podUid(pod);
    const entry = this.deps.statuses.entry(uid);
    if (entry === undefined || entry.version === 0 || !showsPod(pod, uid, entry)) return;
    if (this.queue.isRunning(uid)) {
      this.seenMeanwhile.add(uid);
      return;
    }
    if (this.held.has(uid)) return;
    if (this.sent.isAccepted(uid, podUid(pod), entry.version) && !canBeDeleted(pod, entry)) return;
    this.submit(uid);
  }

  private submit(uid: string): void {
    const entry = this.deps.statuses.entry(uid);
    if (entry === undefined || entry.version === 0 || this.stopping.signal.aborted) return;
    this.queue.add(uid, this.isUrgent(uid, entry));
    this.pumpSoon();
  }

  // Others wait for these: services for readiness, schedulers and controllers for the end.
  private isUrgent(uid: string, { status, finished }: VersionedStatus): boolean {
    const ended = isTerminalPhase(status.phase);
    return finished || ended || isReady(status) !== this.sent.wasReady(uid);
  }

  // In a later microtask, so that statuses accepted together are sent together.
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
    const entry = this.deps.statuses.entry(uid);
    try {
      if (entry === undefined) return;
      const known = this.known(uid, entry);
      // No object to send to: the static pod has no mirror pod yet, or the watch shows no object.
      if (known === undefined && this.deps.store.hasSynced()) {
        this.noteGone(uid, entry);
        return;
      }
      if (known === undefined && entry.staticPod) return;
      const outcome = await exchangeStatus({
        client: this.deps.client,
        podUid: uid,
        entry,
        known: known === 'unsure' ? undefined : known,
        couldHaveRunningContainers: this.couldRun(uid),
        now: formatRfc3339(this.deps.clock.now()),
        gates: this.config,
        signal: this.stopping.signal,
      });
      this.settle(uid, entry, outcome);
      this.retries.succeeded(uid);
    } catch (error) {
      if (!this.stopping.signal.aborted) this.noteFailure(uid, entry, error);
    } finally {
      this.queue.finish(uid);
      this.checkAgain(uid);
      this.tellWaiters();
      this.pump();
    }
  }

  private checkAgain(uid: string): void {
    const entry = this.seenMeanwhile.delete(uid) ? this.deps.statuses.entry(uid) : undefined;
    const pod = entry && this.deps.store.get(entry.namespace, entry.name);
    if (pod !== undefined) this.noteApiPod(pod);
  }

  private settle(uid: string, entry: VersionedStatus, outcome: ExchangeOutcome): void {
    const pod = `${entry.namespace}/${entry.name}`;
    switch (outcome.kind) {
      case 'accepted': {
        const looked = this.sent.shown(uid);
        this.sent.accept(uid, entry, outcome.pod);
        const durationMs = this.observe(uid, entry);
        if (!looksTheSame(looked, entry.status)) this.journal.sent(uid, entry, durationMs ?? 0);
        // A newer status was accepted meanwhile.
        if ((this.deps.statuses.entry(uid)?.version ?? 0) > entry.version) this.submitOrHold(uid);
        return;
      }
      case 'deleted':
        this.deps.logger.debug(3, 'Pod fully terminated and removed from etcd', { pod });
        this.journal.podDeleted(uid, entry);
        this.observe(uid, entry);
        this.forget(uid);
        this.deps.statuses.drop(uid);
        return;
      case 'foreign':
        if (entry.staticPod) return;
        this.deps.logger.debug(2, 'Pod was deleted and then recreated, skipping status update', {
          pod,
          oldPodUid: uid,
        });
        this.forget(uid);
        this.deps.statuses.drop(uid);
        return;
      case 'gone':
        this.deps.logger.debug(3, 'Pod does not exist on the server', { pod, podUid: uid });
        this.noteGone(uid, entry);
    }
  }

  // Housekeeping drops the status when the pod is no longer wanted.
  private noteGone(uid: string, entry: VersionedStatus): void {
    this.sent.accept(uid, entry, undefined);
    this.durations.forget(uid);
    this.retries.reset(uid);
  }

  private observe(uid: string, { version }: VersionedStatus): number | undefined {
    return this.durations.accepted(uid, (this.deps.statuses.entry(uid)?.version ?? 0) > version);
  }

  private noteFailure(uid: string, entry: VersionedStatus | undefined, error: unknown): void {
    const outage = this.retries.failed(uid, entry === undefined ? uid : `${entry.namespace}/${entry.name}`, error);
    if (entry === undefined) return;
    this.journal.failed(uid, entry, error, outage);
    if (outage) this.queue.add(uid, this.isUrgent(uid, entry));
  }

  /** The newest known state of the API object; `unsure` when it is unknown which of two is newer. */
  private known(uid: string, entry: VersionedStatus): Pod | 'unsure' | undefined {
    const watched = this.deps.store.get(entry.namespace, entry.name);
    const shown = watched !== undefined && showsPod(watched, uid, entry) ? watched : undefined;
    return this.sent.newest(uid, shown) ?? (entry.staticPod ? undefined : watched);
  }

  private isBehind(uid: string, { version }: VersionedStatus): boolean {
    return version > 0 && !this.sent.hasVersion(uid, version);
  }

  // Others may have changed fields of an object, and some changes cause no notification.
  private pass(): void {
    this.sent.keepOnly(this.deps.statuses.entries());
    for (const uid of [...this.durations.podUids(), ...this.retries.podUids()])
      if (this.deps.statuses.entry(uid) === undefined) this.forget(uid);
    for (const [uid, entry] of this.deps.statuses.entries()) {
      const known = entry.version === 0 ? undefined : this.known(uid, entry);
      if (known === undefined) continue;
      if (known === 'unsure' || this.needsSending(uid, entry, known)) this.submit(uid);
    }
    this.deps.starts.forgetAllBut(
      (uid) => this.deps.pods.getPodByUid(this.deps.pods.translatePodUid(uid)) !== undefined,
    );
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
    this.held.release(uid);
  }

  private tellWaiters(): void {
    this.waiters.tell(
      (uid, version) => this.deps.statuses.entry(uid) === undefined || this.sent.hasVersion(uid, version),
    );
  }
}
