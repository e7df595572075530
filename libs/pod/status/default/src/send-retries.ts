import { WorkQueue } from '@podwright/concurrency';
import { hasCode, KubeletError, messageOf } from '@podwright/errors';
import type { KubeClient } from '@podwright/kube-client-interface';
import { FailureLog, type Logger } from '@podwright/logging';
import { GrowingPause, jitter, namedRandom, type Clock, type Random, type Timer } from '@podwright/time';

const firstRetryMs = 500;

export interface SendRetriesDeps {
  readonly clock: Clock;
  readonly random: Random;
  readonly logger: Logger;
  readonly client: Pick<KubeClient, 'server'>;
  readonly longestPauseMs: number;
  /** Called when a pause of all sending is over. */
  readonly onPauseOver: () => void;
}

/**
 * Decides when to retry failed sends: each pod after its own pause. While the API server is unavailable, all sending
 * pauses, and then one pod at a time tests whether it is back: after a pause, or as soon as it answers anybody else.
 */
export class SendRetries {
  private readonly queue: WorkQueue<string>;
  /** By the UIDs of pods whose last send failed. */
  private readonly pauses = new Map<string, GrowingPause>();
  private readonly failureLog: FailureLog;
  private outage: { readonly growing: GrowingPause; timer: Timer | undefined } | undefined;

  constructor(private readonly deps: SendRetriesDeps) {
    this.queue = new WorkQueue<string>({ clock: deps.clock });
    this.failureLog = new FailureLog(deps.logger, deps.clock);
  }

  /** Calls `listener` with the UID of each pod whose pause is over. Returns unsubscribe. */
  watch(listener: (uid: string) => void): () => void {
    return this.queue.watch(listener);
  }

  /** How many of `most` sends are allowed at a time. */
  places(most: number): number {
    if (this.outage === undefined) return most;
    return this.outage.timer === undefined ? 1 : 0;
  }

  succeeded(uid: string): void {
    this.forget(uid);
    this.outage?.timer?.cancel();
    this.outage = undefined;
    if (this.pauses.size === 0) this.failureLog.over('Statuses of pods reach the API server again');
  }

  /** `pod`: its name in logs. True: the server is unavailable, and the pod must wait with all others. */
  failed(uid: string, pod: string, error: unknown): boolean {
    const growing = this.pauses.get(uid) ?? this.newPause();
    this.pauses.set(uid, growing);
    const pauseMs = growing.next();
    const { code } = KubeletError.from(error);
    const message = `Failed to update status for pod; it is sent again until ${this.deps.client.server} takes it`;
    this.failureLog.failed(code, message, { pod, error: messageOf(error) });
    if (!hasCode(error, 'unavailable') && !hasCode(error, 'deadline-exceeded')) {
      this.queue.enqueue(uid, this.jittered(pauseMs));
      return false;
    }
    if (this.outage?.timer === undefined) this.pause(this.outage?.growing ?? this.newPause());
    return true;
  }

  /** UIDs of pods whose last send failed. */
  podUids(): readonly string[] {
    return [...this.pauses.keys()];
  }

  /** The next failure counts as the first. */
  reset(uid: string): void {
    this.pauses.delete(uid);
  }

  /** The server answers others again: one pod tests at once whether it takes statuses, too. */
  serverBack(): void {
    if (this.outage === undefined) return;
    this.outage.timer?.cancel();
    // From the first pause again: a server that is starting refuses for a few seconds what it soon accepts.
    this.outage = { growing: this.newPause(), timer: undefined };
    this.deps.onPauseOver();
  }

  forget(uid: string): void {
    this.pauses.delete(uid);
    this.queue.delete(uid);
  }

  stop(): void {
    this.outage?.timer?.cancel();
    this.queue.clear();
  }

  private pause(growing: GrowingPause): void {
    const timer = this.deps.clock.setTimer(this.jittered(growing.next()), () => {
      this.outage = { growing, timer: undefined };
      this.deps.onPauseOver();
    });
    this.outage = { growing, timer };
  }

  private newPause(): GrowingPause {
    return new GrowingPause({ firstMs: firstRetryMs, longestMs: this.deps.longestPauseMs });
  }

  private jittered(pauseMs: number): number {
    return jitter(namedRandom(this.deps.random, 'pod-status'), pauseMs, 0.5);
  }
}
